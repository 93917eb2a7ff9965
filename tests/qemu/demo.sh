#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The session of the demo, in the guest: each line is shown, then run.

run()
{
	echo "# $1"
	eval "$1"
}

echo "$(uname -sr) $(uname -m)"
export PATH="/kpt/scripts:$PATH"
set -e
run 'kptrace opens --follow -- cat /proc/version /proc/loadavg'
run "kptrace 'p:read vfs_read count=%x2:u64' --stack --max 1 -- grep -c Linux /proc/version"
run 'kptrace latency vfs_read -- grep -c vfs_ /proc/kallsyms'
