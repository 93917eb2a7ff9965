# SPDX-License-Identifier: GPL-2.0-only
SUMMARY = "kprobe-based dynamic event tracing with an engine of its own"
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://COPYING;md5=b234ee4d69f5fce4486a80fdaf4a4263"

# Where your copy of kptrace is.
SRC_URI = "git:///srv/git/kptrace;protocol=file;branch=main"
SRCREV = "${AUTOREV}"
S = "${WORKDIR}/git"

inherit module

COMPATIBLE_HOST = "aarch64.*-linux"
# The class passes KERNEL_SRC= and O=, which kptrace knows; its output is here:
MODULES_MODULE_SYMVERS_LOCATION = "build/module"

do_install:append() {
	PREFIX=${prefix} DESTDIR=${D} ${S}/scripts/install --tools
}

PACKAGES =+ "${PN}-tools"
FILES:${PN}-tools = "${sbindir} ${datadir} ${nonarch_libdir}/systemd ${sysconfdir}/kptrace.conf"
CONFFILES:${PN}-tools = "${sysconfdir}/kptrace.conf"
RRECOMMENDS:${PN}-tools = "kernel-module-kptrace-${KERNEL_VERSION}"
