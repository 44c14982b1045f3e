#!/usr/bin/env python3
"""Ends the notes app and the mock console in every way, at random moments, and counts what is lost.

usage: endings.py APPCORE [--seed N] [--texts N] [--hangups N] [--signals N] [--stops N]

Prints one line for each attack: its name, the tries and the failures. The status is 1 if any failed.
It is run in the package's folder, after `swift build --build-tests`.
"""

import argparse
import json
import os
import pty
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

CONSOLE = "Tests/Fixtures/manifests/console/console.yaml"


class Notes:
    """The notes app with a pipe to write to and one to read from, on a folder of its own."""

    def __init__(self, appcore, save_after):
        self.folder = tempfile.mkdtemp(prefix="appcore-attack-")
        self.process = subprocess.Popen(
            [appcore, "run", "manifests/notes.yaml", "--json", "--set", f"folder={self.folder}",
             "--set", f"saveAfter={save_after}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def write(self, *lines):
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def screen(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def shown_text(self, screen):
        for element in screen.get("elements", []):
            if element.get("id") == "text":
                return element.get("value")
        return None

    def end(self):
        """Reads to the end; returns the last text that was shown."""
        last = None
        while (screen := self.screen()) is not None:
            last = self.shown_text(screen) or last
        self.process.wait()
        return last

    def saved(self):
        """The last version of the note."""
        best = (0, None)
        for folder, _, names in os.walk(self.folder):
            for name in names:
                parts = name.split(".")
                if len(parts) == 3 and parts[1].isdigit():
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        best = max(best, (int(parts[1]), file.read()))
        return best[1]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def accepted_texts(appcore, count, chance):
    """Text whose screen was printed when SIGTERM comes is saved."""
    failures = 0
    for number in range(count):
        notes = Notes(appcore, 0 if number % 2 else 3600)
        notes.write("@name ada", "@login", "@new")
        for _ in range(4):
            notes.screen()
        notes.write(*(f"@text round {round}" for round in range(1, 51)))
        shown = None
        for _ in range(chance.randint(1, 5)):
            shown = notes.shown_text(notes.screen()) or shown
        time.sleep(chance.random() * 0.003)
        notes.process.send_signal(signal.SIGTERM)
        shown = notes.end() or shown
        saved = notes.saved()
        newest = int(saved.split()[-1]) if saved else 0
        if newest < int(shown.split()[-1]):
            failures += 1
        notes.remove()
    return failures


def repeated_hangups(appcore, count, chance):
    """A SIGHUP that a shell sends again within a second does not cut the saving short."""
    failures = 0
    for _ in range(count):
        notes = Notes(appcore, 3600)
        notes.write("@name ada", "@login", "@new", "@text Milk")
        for _ in range(5):
            notes.screen()
        for _ in range(3):
            try:
                notes.process.send_signal(signal.SIGHUP)
            except ProcessLookupError:
                break
            time.sleep(chance.random() * 0.004)
        notes.end()
        if notes.saved() != "Milk":
            failures += 1
        notes.remove()
    return failures


class Terminal:
    """The mock console on a pseudo-terminal of its own."""

    def __init__(self, appcore):
        self.leader, self.follower = pty.openpty()
        self.before = termios.tcgetattr(self.follower)
        self.process = subprocess.Popen(
            [appcore, "run", CONSOLE], stdin=self.follower, stdout=self.follower,
            stderr=self.follower, start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, termios.TIOCSCTTY, 0))

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if select.select([self.leader], [], [], rest)[0]:
                try:
                    os.read(self.leader, 65536)
                except OSError:
                    return

    def finish(self, seconds=20):
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.01)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            return False
        return True

    def is_restored(self):
        return termios.tcgetattr(self.follower)[:4] == self.before[:4]

    def close(self):
        os.close(self.leader)
        os.close(self.follower)


ENDING = [number for number in range(1, 65)
          if number not in (9, 17, 18, 19, 20, 21, 22, 23, 28, 32, 33)]


def random_signals(appcore, count, chance):
    """A signal at any moment, while it starts too, leaves the terminal as it was."""
    failures = 0
    for _ in range(count):
        terminal = Terminal(appcore)
        terminal.read(chance.random() * 0.25)
        for number in chance.sample(ENDING, chance.randint(1, 2)):
            try:
                terminal.process.send_signal(number)
            except ProcessLookupError:
                break
            time.sleep(chance.random() * 0.005)
        ended = terminal.finish()
        if not ended or not terminal.is_restored():
            failures += 1
        terminal.close()
    return failures


def stops(appcore, count, chance):
    """A stop from elsewhere gives the terminal back, and going on takes it again."""
    failures = 0
    for _ in range(count):
        terminal = Terminal(appcore)
        terminal.read(0.4)
        # A session's leader is no orphan's child to the terminal here: SIGSTOP tells nobody, so the
        # stop is followed by looking at the modes alone.
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.read(0.05)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.read(0.05)
        terminal.process.send_signal(signal.SIGTERM)
        if not terminal.finish() or not terminal.is_restored():
            failures += 1
        terminal.close()
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("appcore")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--hangups", type=int, default=300)
    parser.add_argument("--signals", type=int, default=5000)
    parser.add_argument("--stops", type=int, default=50)
    options = parser.parse_args()
    attacks = [
        ("text accepted before SIGTERM", accepted_texts, options.texts),
        ("SIGHUP sent again", repeated_hangups, options.hangups),
        ("signals at random moments", random_signals, options.signals),
        ("stops from outside", stops, options.stops),
    ]
    failed = False
    for name, attack, count in attacks:
        failures = attack(options.appcore, count, random.Random(options.seed))
        failed = failed or failures > 0
        print(f"{name}\t{count}\t{failures}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
