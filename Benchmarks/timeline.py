#!/usr/bin/env python3
"""Measures what histories, recordings and their replay cost, with a counter.

    Benchmarks/timeline.py [APPCORE [PLUGINS]]

APPCORE is the program, .build/release/appcore unless given; PLUGINS the folder with the mock plugins,
that of the program unless given. Both are release builds. A row is the least of several runs, in
elapsed time unless it says otherwise: what others do on the machine can only add to it.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else FOLDER + "/.build/release/appcore")
PLUGINS = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(PROGRAM))
COUNTER = FOLDER + "/Tests/Fixtures/manifests/mocks/counter.yaml"


def measure(arguments, rounds=7):
    """The least elapsed time and the least processor time of a run, in seconds."""
    best = (1e9, 1e9)
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        result = subprocess.run(
            [PROGRAM] + arguments + ["--plugin-path", PLUGINS], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        elapsed = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if result.returncode != 0:
            sys.exit(result.stderr.decode() or f"status {result.returncode}")
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best[0], elapsed), min(best[1], used)
    return best


def row(name, value):
    print(f"{name:58} {value}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        def script(name, text):
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
            return f"{folder}/{name}"

        recording = f"{folder}/a.recording"
        run = ["run", COUNTER, "--script"]
        variants = [
            ("without a history", ["--history-limit", "0"]),
            ("with a history", ["--history-limit", "16M"]),
            ("as it is by default", []),
            ("with --record", ["--history-limit", "0", "--record", recording]),
        ]
        empty = script("empty", "")
        count = 20_000
        lines = script("lines", "@add\n" * count)
        for name, options in variants:
            first = measure(run + [empty] + options, rounds=25)
            row(f"the first screen {name}", f"{first[0] * 1e3:8.2f} ms")
            all = measure(run + [lines] + options)
            row(
                f"a script line {name}",
                f"{(all[0] - first[0]) / count * 1e6:8.2f} us, "
                f"{(all[1] - first[1]) / count * 1e6:.2f} us of processors")
        row("a recorded action", f"{os.path.getsize(recording) / count:8.0f} bytes")

        count = 100_000
        long = script("long", "@add\n" * count)
        measure(run + [long, "--record", recording], rounds=1)
        check = measure(["replay", recording, "--check"], rounds=3)
        row(f"checking {count} actions", f"{check[0]:8.2f} s, {check[1]:.2f} s of processors")
        numbers = random.Random(1)
        opening = measure(["replay", recording, "--script", script("one", ":path\n")], rounds=3)
        row(f"opening {count} actions", f"{opening[0]:8.2f} s")
        for name, command in [("a jump", ":goto"), ("what a step changed", ":diff")]:
            jumps = 1_000
            text = "".join(f"{command} {numbers.randint(1, count)}\n" for _ in range(jumps))
            all = measure(["replay", recording, "--script", script("jumps", text)], rounds=3)
            row(
                f"{name} among {count} steps, with its screen",
                f"{(all[0] - opening[0]) / jumps * 1e3:8.2f} ms")


main()
