# SPDX-License-Identifier: GPL-2.0-only
"""kgdb.py SOCKET: a debugger at the serial line of a guest.

It waits until the console says "debugger: set ADDRESS." or "clear ADDRESS." and the
kernel stops, and sets or removes a break point there. When a task stops at it, it steps
over it, as gdb does.
"""
import re
import socket
import sys
import time


class Line:
    """The serial line: texts of the console, and packets of KGDB between."""

    def __init__(self, path):
        self.buffer = b""
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.1)

    def wait(self, pattern, seconds=300):
        """Wait for a pattern, drop all up to its end, and return the match."""
        end = time.time() + seconds
        while True:
            match = re.search(pattern, self.buffer, re.S)
            if match:
                self.buffer = self.buffer[match.end():]
                return match
            self.socket.settimeout(max(end - time.time(), 0.01))
            data = self.socket.recv(4096)
            if not data:
                raise EOFError
            self.buffer += data

    def send(self, text):
        """Send a packet."""
        data = text.encode()
        self.socket.sendall(b"$%s#%02x" % (data, sum(data) & 255))

    def ask(self, text, answer=rb"OK"):
        """Send a packet, and wait for its answer."""
        self.send(text)
        got = self.wait(rb"\$(" + answer + rb")#..").group(1)
        self.socket.sendall(b"+")
        return got

    def stopped(self):
        """Ask until the kernel has stopped."""
        while True:
            try:
                self.send("?")
                self.wait(rb"\$[ST]05[^#]*#..", 5)
                self.socket.sendall(b"+")
                return
            except TimeoutError:
                pass


STOP = rb"T05[^#]*"


def step_over(line, place):
    """At the break point: let its instruction run."""
    line.ask(f"z0,{place},4")
    # An interrupt may come first: then the task stops there once more. The less is said
    # meanwhile, the rarer.
    line.ask("s", STOP)
    line.ask(f"Z0,{place},4")
    line.send("c")


def main():
    """Do what the console says, until the guest is gone."""
    line = Line(sys.argv[1])
    while True:
        match = line.wait(rb"debugger: (set|clear) ([0-9a-f]+)\.|\$(T05)[^#]*#..")
        if match.group(3):
            line.socket.sendall(b"+")
            print("stop", flush=True)
            step_over(line, place)
            continue
        place = match.group(2).decode()
        line.stopped()
        line.ask(("Z0" if match.group(1) == b"set" else "z0") + f",{place},4")
        print(match.group(1).decode(), place, flush=True)
        line.send("c")


try:
    main()
except EOFError:
    pass
