# SPDX-License-Identifier: GPL-2.0-only
include $(sort $(wildcard $(BR2_EXTERNAL_KPTRACE_PATH)/package/*/*.mk))
