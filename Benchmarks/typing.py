#!/usr/bin/env python3
"""Measures how soon a key is shown: appcore on a pseudo-terminal, keys in, echo out.

    Benchmarks/typing.py [APPCORE]

APPCORE is the program, .build/release/appcore unless given; the mock console's library must stand
beside it (swift build -c release). Three rows: while the screen is updated 100 times a second,
while a history of 100,000 lines is searched for what no line holds, and with such a history and a
line that no earlier one begins with. The time is from writing the key to reading its echo, this
program's own share (a few tens of microseconds) included.
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else FOLDER + "/.build/release/appcore")


class Terminal:
    def __init__(self, history, *options):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(FOLDER)
            os.environ.update(TERM="xterm", NO_COLOR="1", APPCORE_HISTORY=history)
            manifest = "Tests/Fixtures/manifests/console/console.yaml"
            os.execv(PROGRAM, [PROGRAM, "run", manifest, *options])
        size = struct.pack("HHHH", 24, 80, 0, 0)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, size)
        self.wait(b"> ")

    def read(self, timeout):
        ready, _, _ = select.select([self.descriptor], [], [], timeout)
        return os.read(self.descriptor, 65536) if ready else b""

    def wait(self, text, timeout=20):
        seen, end = b"", time.monotonic() + timeout
        while text not in seen:
            if time.monotonic() > end:
                sys.exit(f"'{text}' was not printed: {seen[-500:]}")
            seen += self.read(1)
        return seen

    def quiet(self):
        while self.read(0.05):
            pass

    def keys(self, count, echo, pause):
        times = []
        for index in range(count):
            letter = b"qzjxkvbw"[index % 8 : index % 8 + 1]
            time.sleep(pause)
            while self.read(0):
                pass
            start = time.perf_counter()
            os.write(self.descriptor, letter)
            seen, wanted = b"", echo(letter)
            while wanted not in seen:
                seen += self.read(1)
            times.append((time.perf_counter() - start) * 1000)
        return times

    def end(self):
        os.close(self.descriptor)
        os.waitpid(self.process, 0)


def row(name, times):
    times.sort()
    print(
        f"{name:44} median {statistics.median(times):6.2f}  "
        f"99 % {times[int(len(times) * 0.99)]:6.2f}  worst {times[-1]:6.2f} ms"
    )


with tempfile.TemporaryDirectory() as folder:
    terminal = Terminal("off", "--set", "interval=10")
    os.write(terminal.descriptor, b"@start\r")
    terminal.wait(b"counted")
    time.sleep(0.3)
    row("echo, 100 updates a second", terminal.keys(1000, lambda letter: letter, 0.0037))
    terminal.end()

    history = folder + "/history"
    with open(history, "w") as file:
        for number in range(100_000):
            file.write(f"@name a line of the history that was typed once, number {number}\n")
    terminal = Terminal(history)
    os.write(terminal.descriptor, b"\x12")
    terminal.wait(b"search: ")
    terminal.quiet()
    row("Ctrl-R, 100,000 lines, none holds it", terminal.keys(60, lambda letter: letter, 0.02))
    os.write(terminal.descriptor, b"\x07")
    terminal.quiet()
    row("suggestion, 100,000 lines, none fits", terminal.keys(60, lambda letter: letter, 0.02))
    terminal.end()
