#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The first minutes in a fresh Debian root, in the guest: nothing is loaded or mounted.
set -e
mkdir /fresh
tar -C /fresh -xf /root.tar
for dir in proc sys dev; do
	mount --bind /$dir /fresh/$dir
done

# in_root COMMAND: run it as root in there would
in_root() { chroot /fresh sh -c "$1"; }

in_root 'while sleep 0.3; do cat /etc/debian_version; done >/dev/null &
	kptrace opens --for 5; kill $!' >/opens
cat /opens
grep -q '^cat .*"/etc/debian_version"$' /opens
in_root 'kptrace latency vfs_read -- cat /etc/passwd' | grep 'calls,'
in_root 'rmmod kptrace'
# Records need no awk.
in_root '/usr/share/kptrace/reader/reader lines </dev/null'

# What kptrace.service does.
cat >/fresh/etc/kptrace.conf <<'END'
kptrace.event.kprobes.open { probes = "do_sys_openat2 file=+u0($arg2):ustring"; enable }
END
in_root "$(sed -n 's/^ExecStart=//p' /fresh/usr/lib/systemd/system/kptrace.service \
	/fresh/lib/systemd/system/kptrace.service 2>/dev/null | head -n 1)"
in_root 'mount -t kptracefs none /sys/kernel/kptrace && cat /etc/debian_version &&
	cat /sys/kernel/kptrace/trace' | grep 'file="/etc/debian_version"'
umount /fresh/sys/kernel/kptrace
in_root 'rmmod kptrace'
