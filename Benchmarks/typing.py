#!/usr/bin/env python3
"""Measures how soon a key is shown: appcore on a pseudo-terminal, keys in, echo out.

    Benchmarks/typing.py [APPCORE]

APPCORE is the program, .build/release/appcore unless given; the mock console's library must stand
beside it (swift build -c release). Five rows: while the screen is updated 100 times a second,
while a history of 100,000 lines is searched for what no line holds, with such a history and a line
that no earlier one begins with, and full screen, in 200 x 60 cells with a list of 10,000 packages,
the steps of the cursor and those that scroll the list. The time is from writing the key to reading
its echo, this program's own share (a few tens of microseconds) included.
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else FOLDER + "/.build/release/appcore")


CONSOLE = "Tests/Fixtures/manifests/console/console.yaml"


class Terminal:
    def __init__(self, history, *options, manifest=CONSOLE, size=(24, 80), prompt=b"> "):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(FOLDER)
            os.environ.update(TERM="xterm", NO_COLOR="1", APPCORE_HISTORY=history)
            # The size is set first: a window of no size can't be full screen.
            time.sleep(0.1)
            os.execv(PROGRAM, [PROGRAM, "run", manifest, *options])
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.wait(prompt)

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

    def steps(self, count, key):
        """The times of steps of the cursor full screen, and the most bytes of one."""
        times, most = [], 0
        for _ in range(count):
            # Longer than the pause between two pictures.
            time.sleep(0.04)
            while self.read(0):
                pass
            start = time.perf_counter()
            os.write(self.descriptor, key)
            seen = b""
            while b"\x1b[?2026l" not in seen:
                seen += self.read(1)
            times.append((time.perf_counter() - start) * 1000)
            most = max(most, len(seen))
        return times, most

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

    status = folder + "/status"
    with open(status, "w") as file:
        subprocess.run([FOLDER + "/Benchmarks/generate-status.py", "10000"], stdout=file, check=True)
    os.environ["APPCORE_DPKG_STATUS"] = status
    terminal = Terminal(
        "off", "--full-screen", manifest="manifests/packages.yaml", size=(60, 200),
        prompt=b"F1")
    terminal.steps(2, b"\x1b[B")
    times, most = terminal.steps(45, b"\x1b[B")
    row(f"full screen, a step of the cursor, {most} bytes", times)
    terminal.steps(15, b"\x1b[B")
    times, most = terminal.steps(400, b"\x1b[B")
    row(f"full screen, a step that scrolls, {most} bytes", times)
    terminal.end()
