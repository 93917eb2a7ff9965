# SPDX-License-Identifier: GPL-2.0-only
#
# Front end: every target is a script that can be called by itself as well.

KERNEL ?=
KDIR ?=
O ?=
out := $(if $(O),--out $(O))

all: module

module:
	scripts/module $(if $(KERNEL),--kernel $(KERNEL)) \
		$(if $(KDIR),--kdir $(KDIR)) $(out)

clean:
	rm -rf build

.PHONY: all module clean
