"""Kills the app that runs on a terminal with SIGKILL at random moments, and looks whether it is back.

    scripts/sessions/kills.py PROGRAM TRIES [SEED]

Half of the time it is the notes app, in which somebody writes a line after the other, and half of the time
the packages app, in which somebody goes from package to package. Each app is killed twice: of three
crashes within a minute of which nobody is known to be the culprit an app is not restored. Prints how often
was tried, how many shown screens were lost, and how many terminals were left in other modes; the status is
1 where there were any."""

import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

PACKAGES = ["libc6", "nano", "busybox", "debconf"]
SEQUENCES = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")
LIMIT = 30


class Lost(Exception):
    pass


class App:
    """An app on a pseudo-terminal of its own."""

    def __init__(self, program, arguments, variables):
        self.leader, self.follower = pty.openpty()
        fcntl.ioctl(self.follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        self.before = termios.tcgetattr(self.follower)
        self.seen = b""
        self.supervisor = os.fork()
        if self.supervisor == 0:
            try:
                os.setsid()
                fcntl.ioctl(self.follower, termios.TIOCSCTTY, 0)
                for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT):
                    signal.signal(number, signal.SIG_DFL)
                for descriptor in range(3):
                    os.dup2(self.follower, descriptor)
                variables = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", **variables}
                os.execve(program, [program, "run", *arguments, "--no-history"], variables)
            finally:
                os._exit(127)

    def read(self, seconds):
        """Takes what is drawn, for so long at most; whether there was anything."""
        if not select.select([self.leader], [], [], seconds)[0]:
            return False
        try:
            self.seen += os.read(self.leader, 65536)
        except OSError:
            return False
        return True

    def text(self, start=0):
        """What was drawn since, without what moves the cursor."""
        return SEQUENCES.sub(b"", self.seen[start:]).decode("utf-8", "replace")

    def wait(self, what, start, condition):
        """Waits until what was drawn since `start` fulfils a condition."""
        end = time.monotonic() + LIMIT
        while not condition(self.text(start)):
            if time.monotonic() > end:
                raise Lost(f"{what} did not come; there was: {self.text(start)[-600:]!r}")
            self.read(0.05)

    def type(self, line):
        """Types a line; returns where what is drawn then begins."""
        start = len(self.seen)
        os.write(self.leader, line.encode() + b"\r")
        return start

    @property
    def worker(self):
        path = f"/proc/{self.supervisor}/task/{self.supervisor}/children"
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            with open(path) as file:
                children = file.read().split()
            if children:
                return int(children[0])
            time.sleep(0.001)
        raise Lost("there is no process that runs the app")

    def kill(self):
        """Kills the worker, and waits until the app is back; returns what it shows."""
        start = len(self.seen)
        os.kill(self.worker, signal.SIGKILL)
        self.wait("the app", start, lambda text: "; restored in" in text)
        told = self.seen.rfind(b"restored in")
        self.wait("the prompt", told, lambda text: "\n> " in text.replace("\r", ""))
        # What is still drawn of the screen.
        while self.read(0.05):
            pass
        return self.text(told)

    def end(self):
        """Leaves the app; returns what is wrong then."""
        # What the line may hold is removed.
        os.write(self.leader, b"\x05\x15:quit\r")
        end = time.monotonic() + LIMIT
        status = None
        while status is None:
            self.read(0.01)
            found, code = os.waitpid(self.supervisor, os.WNOHANG)
            if found:
                status = os.waitstatus_to_exitcode(code)
            elif time.monotonic() > end:
                os.kill(self.supervisor, signal.SIGKILL)
                os.waitpid(self.supervisor, 0)
                status = "it does not end"
        broken = termios.tcgetattr(self.follower)[:4] != self.before[:4]
        os.close(self.leader)
        os.close(self.follower)
        return status, broken


def lines(text):
    """How many lines the note has that a text shows last; 0 where it shows none."""
    block = text[text.rfind("Text:"):]
    shown = [int(number) for number in re.findall(r"│ item (\d+)", block)]
    more = re.search(r"… (\d+) more line", block)
    return max(shown, default=0) + (int(more.group(1)) if more else 0)


def notes(program, chance, kills, folder):
    app = App(
        program, ["manifests/notes.yaml", "--set", f"folder={folder}", "--set", "saveAfter=3600"], {})
    troubles = []
    try:
        app.wait("the prompt", 0, lambda text: "\n> " in text.replace("\r", ""))
        start = app.type("@name ada")
        app.wait("the name", start, lambda text: "Name: ada" in text)
        start = app.type("@login")
        app.wait("the list", start, lambda text: "There are no notes yet." in text)
        start = app.type("@new")
        app.wait("the editor", start, lambda text: "Nothing to save yet" in text)
        last = 0
        for _ in range(kills):
            for _ in range(chance.randint(1, 4)):
                start = app.type(f"line = item {last + 1}")
                app.wait("the line", start, lambda text: lines(text) == last + 1)
                last += 1
            start = app.type(f"line = item {last + 1}")
            end = time.monotonic() + chance.random() * 0.06
            while (rest := end - time.monotonic()) > 0:
                app.read(rest)
            before = lines(app.text(start))
            shown = app.kill()
            wanted = max(last, before)
            found = lines(shown)
            troubles.append(
                None if wanted <= found <= last + 1 else f"line {wanted} was shown, then {shown!r}")
            last = max(found, last)
    except Lost as trouble:
        troubles.append(str(trouble))
    return troubles, app.end()


def packages(program, chance, kills, folder):
    app = App(program, ["manifests/packages.yaml"],
              {"APPCORE_DPKG_STATUS": os.path.abspath("Tests/Fixtures/dpkg/demo-status")})
    troubles = []
    try:
        app.wait("the prompt", 0, lambda text: "\n> " in text.replace("\r", ""))
        place = "the list"
        for _ in range(kills):
            for _ in range(chance.randint(1, 3)):
                name = chance.choice(PACKAGES)
                start = app.type(f":open /list/detail;name={name}")
                app.wait(name, start, lambda text: is_at(text, name))
                place = name
            name = chance.choice([other for other in PACKAGES if other != place])
            start = app.type(f":open /list/detail;name={name}")
            end = time.monotonic() + chance.random() * 0.06
            while (rest := end - time.monotonic()) > 0:
                app.read(rest)
            was_shown = is_at(app.text(start), name)
            shown = app.kill()
            if is_at(shown, name):
                place = name
                troubles.append(None)
            elif is_at(shown, place) and not was_shown:
                troubles.append(None)
            else:
                troubles.append(f"'{name if was_shown else place}' was shown, then {shown[-300:]!r}")
    except Lost as trouble:
        troubles.append(str(trouble))
    return troubles, app.end()


def is_at(text, name):
    """Whether the last screen that a text shows is the one of a package."""
    headers = re.findall(r"── (\S+) ──", text.replace("\r", ""))
    return bool(headers) and headers[-1] == name


def main():
    program, tries = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 17)
    tried = lost = broken = 0
    round = 0
    while tried < tries:
        app = (notes, packages)[round % 2]
        round += 1
        folder = tempfile.mkdtemp(prefix="appcore-kills-")
        troubles, (status, is_broken) = app(program, chance, min(2, tries - tried), folder)
        shutil.rmtree(folder, ignore_errors=True)
        tried += max(len(troubles), 1)
        for trouble in troubles:
            if trouble:
                lost += 1
                print(f"kills: round {round} of {app.__name__}: {trouble}", file=sys.stderr)
        if is_broken or status != 0:
            broken += 1
            print(f"kills: round {round} of {app.__name__}: the end: {status}", file=sys.stderr)
    print(f"{tried} kills: {lost} screens lost, {broken} terminals broken")
    return 1 if lost or broken else 0


if __name__ == "__main__":
    sys.exit(main())
