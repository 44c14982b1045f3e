"""Attacks on the process that scans plugins: each is a generator that gives, for each try, what is left."""

import os
import signal
import subprocess
import time

import attack

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]


def processes(mark):
    """The processes that have a text in their environment, unless they have ended."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass
    return found


def abandoned(appcore, tries, chance):
    for number in range(tries):
        mark = f"APPCORE_ATTACK={os.getpid()}-{number}"
        key, value = mark.split("=")
        process = subprocess.Popen(
            [appcore, "check", "--rescan", os.environ["WORK"] + "/app/app.yaml"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {key: value})
        time.sleep(chance.random() * 0.12)
        by = SIGNALS[number % len(SIGNALS)]
        process.send_signal(by)
        process.wait()
        # Nothing else would end the scan within a minute. Rounds are counted, not seconds, which pass
        # while the machine itself is stopped, too.
        for _ in range(800):
            if not (left := processes(mark.encode())):
                break
            time.sleep(0.005)
        for leftover in left:
            os.kill(leftover, signal.SIGKILL)
        yield f"{len(left)} processes are left after {by.name}" if left else None


if __name__ == "__main__":
    attack.run({"abandoned": abandoned})
