# SPDX-License-Identifier: GPL-2.0-only
KPTRACE_VERSION = 1.0
KPTRACE_SITE = $(BR2_EXTERNAL_KPTRACE_PATH)/../..
KPTRACE_SITE_METHOD = local
KPTRACE_LICENSE = GPL-2.0-only
KPTRACE_LICENSE_FILES = COPYING

define KPTRACE_LINUX_CONFIG_FIXUPS
	$(call KCONFIG_ENABLE_OPT,CONFIG_KALLSYMS)
endef

define KPTRACE_INSTALL_TARGET_CMDS
	PREFIX=/usr DESTDIR=$(TARGET_DIR) $(@D)/scripts/install --tools
endef

$(eval $(kernel-module))
$(eval $(generic-package))
