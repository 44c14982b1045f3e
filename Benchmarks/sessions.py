#!/usr/bin/env python3
"""Measures what sessions cost: the time from a crash to a prompt, the store's thread, the supervisor.

    swift build -c release
    Benchmarks/sessions.py [--quick]

The app is killed on a pseudo-terminal. What counts is the time by the clock on the wall until the prompt
is there again; the median of several."""

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
APPCORE = os.path.join(ROOT, ".build/release/appcore")
QUICK = "--quick" in sys.argv
# A feature that does nothing when it is restored, and one whose instances each begin an effect.
QUIET = """appcore: 1
name: deep
plugins: [MockGood]
start: n
nodes:
  n: { feature: MockGood.Tree, maxDepth: 20000 }
routes:
  - { from: n, action: opened, push: n, with: { level: $.level } }
  - { from: n, action: [asked, countdownRequested, brokenRequested], do: ignore }
"""
BUSY = """appcore: 1
name: deep
plugins: [{ name: Packages, with: { database: Tests/Fixtures/dpkg/demo-status } }]
start: n
nodes:
  n: { feature: Packages.Detail, with: { name: nano } }
routes:
  - { from: n, action: dependencySelected, push: n }
  - { from: n, action: openRequested, do: ignore }
"""


class App:
    """An app with so many instances on a pseudo-terminal of its own."""

    def __init__(self, manifest, instances, options=()):
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.supervisor = os.fork()
        if self.supervisor == 0:
            os.setsid()
            fcntl.ioctl(follower, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(follower, descriptor)
            os.chdir(ROOT)
            os.environ["TERM"] = "xterm"
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.execv(APPCORE, [APPCORE, "run", manifest, "--no-history", "--open",
                               "/n" * instances, *options])
        os.close(follower)
        self.seen = b""
        self.wait(b"> ")

    def wait(self, wanted, since=0):
        end = time.monotonic() + 60
        while wanted not in self.seen[since:]:
            if time.monotonic() > end:
                sys.exit(f"there is no {wanted!r} in {self.seen[-2000:]!r}")
            if select.select([self.leader], [], [], 1)[0]:
                self.seen += os.read(self.leader, 65536)

    @property
    def worker(self):
        with open(f"/proc/{self.supervisor}/task/{self.supervisor}/children") as file:
            return int(file.read().split()[0])

    def crash(self):
        """Kills the worker; returns the seconds until the prompt is there."""
        # What is still drawn.
        while select.select([self.leader], [], [], 0.3)[0]:
            self.seen += os.read(self.leader, 65536)
        start = len(self.seen)
        began = time.monotonic()
        os.kill(self.worker, signal.SIGKILL)
        self.wait(b"restored in", start)
        self.wait(b"> ", self.seen.find(b"restored in", start))
        return time.monotonic() - began

    def end(self):
        os.kill(self.supervisor, signal.SIGKILL)
        os.waitpid(self.supervisor, 0)
        os.close(self.leader)


def private_memory(process):
    with open(f"/proc/{process}/smaps_rollup") as file:
        return sum(int(size) for size in re.findall(r"^Private_\w+:\s+(\d+) kB", file.read(), re.M))


def store_time(process):
    """The nanoseconds for which the app's own thread has run."""
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/comm") as file:
            if file.read().strip() != "appcore-store":
                continue
        with open(f"/proc/{process}/task/{task}/schedstat") as file:
            return int(file.read().split()[0])
    sys.exit("the app has no thread of its own")


def lines(options, count, view=None):
    """The time of the app's own thread for each line of a script that changes one small state, while
    somebody views the app at a socket, if there is one."""
    process = subprocess.Popen(
        [APPCORE, "run", os.path.join(ROOT, "Tests/Fixtures/manifests/mocks/counter.yaml"),
         "--json", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)

    def carry_out(number):
        for _ in range(number):
            process.stdin.write(b"@add\n")
            process.stdin.flush()
            process.stdout.readline()

    process.stdout.readline()
    worker = process.pid
    with open(f"/proc/{worker}/task/{worker}/children") as file:
        worker = int((file.read().split() or [worker])[0])
    viewer = view and subprocess.Popen([APPCORE, "attach", view], stdout=subprocess.DEVNULL)
    carry_out(count // 10)
    before = store_time(worker)
    carry_out(count)
    after = store_time(worker)
    process.terminate()
    process.wait()
    if viewer:
        viewer.wait()
    return (after - before) / count


def main():
    with tempfile.TemporaryDirectory() as folder:
        print("| row | figure |\n| --- | ---: |")
        for text, what in ((QUIET, ""), (BUSY, ", each with an effect")):
            manifest = os.path.join(folder, "deep.yaml")
            with open(manifest, "w") as file:
                file.write(text)
            for instances in (1, 100, 1_000, 10_000):
                times = []
                for _ in range(1 if QUICK else 6):
                    app = App(manifest, instances)
                    # Of three crashes within a minute of an unknown culprit an app is not restored.
                    times += [app.crash() for _ in range(2)]
                    memory = private_memory(app.supervisor)
                    app.end()
                median = statistics.median(times) * 1000
                print(f"| crash to prompt, {instances} instances{what} | {median:.1f} ms |")
                print(f"| the supervisor's private memory then | {memory} kB |", flush=True)
    count = 200 if QUICK else 20_000
    rounds = 1 if QUICK else 5
    off = statistics.median(lines([], count) for _ in range(rounds))
    on = statistics.median(lines(["--supervise"], count) for _ in range(rounds))
    print(f"| the store's thread for a line and its screen, without a session | {off / 1000:.1f} µs |")
    print(f"| the same with one | {on / 1000:.1f} µs |")
    print(f"| the difference: one changed state written | {(on - off) / 1000:.1f} µs |")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        idle = statistics.median(lines(["--socket", path], count) for _ in range(rounds))
        seen = statistics.median(lines(["--socket", path], count, path) for _ in range(rounds))
    print(f"| with a session and a socket at which nobody is | {idle / 1000:.1f} µs |")
    print(f"| with one who views the app | {seen / 1000:.1f} µs |")


if __name__ == "__main__":
    main()
