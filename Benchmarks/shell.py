#!/usr/bin/env python3
"""Measures the program as a whole: appcore with scripts on its standard input.

    Benchmarks/shell.py [APPCORE [PLUGINS]]

APPCORE is the program, .build/release/appcore unless given; PLUGINS the folder with the benchmarks'
plugin, Benchmarks/.build/release unless given. Both are release builds. The rows are processor time
(user and system) of whole processes, the least of several runs: what others do on the machine can
only add to it. The cost of a line is the difference between a long script and a short one.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else FOLDER + "/.build/release/appcore")
PLUGINS = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else FOLDER + "/Benchmarks/.build/release")
COUNTER = FOLDER + "/Benchmarks/counter.yaml"


def run(script, manifest=COUNTER, rounds=3):
    """The least processor time and elapsed time of running a script, in seconds."""
    best = (1e9, 1e9)
    with tempfile.NamedTemporaryFile() as file, open(os.devnull, "w") as null:
        file.write(script.encode())
        file.flush()
        for _ in range(rounds):
            with open(file.name) as lines:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                start = time.monotonic()
                result = subprocess.run(
                    [PROGRAM, "run", manifest, "--plugin-path", PLUGINS],
                    stdin=lines, stdout=null, stderr=subprocess.PIPE)
                elapsed = time.monotonic() - start
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if result.returncode != 0:
                sys.exit(result.stderr.decode() or f"status {result.returncode}")
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best = min(best[0], used), min(best[1], elapsed)
    return best


def row(name, value):
    print(f"{name:58} {value}", flush=True)


def script_lines():
    empty = run("")[0]
    for count in [1_000, 10_000, 100_000]:
        used, elapsed = run("@add\n" * count)
        row(f"{count} lines of script to a counter",
            f"{(used - empty) / count * 1e6:8.2f} us CPU a line, {count / elapsed:8.0f} lines/s")


def frames():
    for depth in [1, 1_000, 100_000]:
        pushes = "@another\n" * (depth - 1)
        base = run(pushes)[0]
        lines = 20_000
        used = run(pushes + "@add\n" * lines)[0]
        row(f"a line and its frame at depth {depth}", f"{(used - base) / lines * 1e6:8.2f} us CPU")


def long_screen():
    lines = 10_000
    base = "@add\n" * lines + "@sheet\n"
    used = run(base)[0]
    taps = 20
    row(f"a screen of {lines} lines, rendered and written",
        f"{(run(base + '@tap' + chr(10) + ('@tap' + chr(10)) * (taps - 1))[0] - used) / taps * 1e3:8.2f} ms CPU")


def first_frame():
    """From the start of the process to the first byte of the first frame, the cache warm."""
    times, cpu = [], []
    for _ in range(40):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        process = subprocess.Popen(
            [PROGRAM, "run", FOLDER + "/manifests/packages.yaml"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        process.stdout.read(1)
        times.append((time.monotonic() - start) * 1e3)
        process.stdout.read()
        process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(
            (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3)
    times.sort()
    cpu.sort()
    row("first frame of manifests/packages.yaml",
        f"least {times[0]:.1f}, median {times[20]:.1f} ms elapsed; "
        f"the whole process least {cpu[0]:.1f}, median {cpu[20]:.1f} ms CPU")


script_lines()
frames()
long_screen()
first_frame()
