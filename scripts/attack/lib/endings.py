"""Attacks on unsaved text by ways out of the notes app on a terminal, on disks of several speeds: each is
a generator that gives, for each try, what was lost or not told."""

import concurrent.futures
import glob
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time

import attack

LIMIT = 60
# How many wait for their disks at once.
WIDTH = int(os.environ.get("APPCORE_ATTACK_WIDTH", "8"))
SEQUENCES = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")
# A disk that takes its time, however often a signal comes meanwhile.
SLOW = """
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int fsync(int file) {
  double rest = atof(getenv("FSYNC_SECONDS"));
  struct timespec time = {(long)rest, (long)((rest - (long)rest) * 1e9)};
  while (nanosleep(&time, &time) != 0 && errno == EINTR) {}
  return fdatasync(file);
}
"""


class Stuck(Exception):
    pass


def parent(process):
    """The parent of a process; 0 where it has ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0


class App:
    """The notes app on a terminal of its own, with a text that is not saved."""

    def __init__(self, appcore, library, seconds, leads, text, is_apart=False):
        self.folder = tempfile.mkdtemp(prefix="out-", dir=os.environ["WORK"])
        self.notes, self.state = self.folder + "/notes", self.folder + "/state"
        self.errors = self.folder + "/errors"
        self.text = text
        self.leader, follower = pty.openpty()
        # What the app prints may go to a terminal of its own.
        self.screen, screen = pty.openpty() if is_apart else (self.leader, follower)
        self.seen = b""
        command = [appcore, "run", "manifests/notes.yaml", "--no-history", "--set",
                   f"folder={self.notes}", "--set", "saveAfter=3600"]
        if not leads:
            # A shell leads the session, and waits. It is no shell that does job control.
            command = ["sh", "-c", '"$@"; exit $?', "sh", *command]
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                ["setsid", "--ctty", *command], stdin=follower, stdout=screen, stderr=errors,
                env={**os.environ, "LD_PRELOAD": library, "FSYNC_SECONDS": str(seconds), "TERM": "xterm",
                     "NO_COLOR": "1", "XDG_STATE_HOME": self.state, "SWIFT_BACKTRACE": "enable=no"})
        for end in {follower, screen}:
            os.close(end)
        self.wait("Log in")
        for line, seen in [("@name ada", "Name: ada"), ("@login", "There are no notes yet."),
                           ("new note", "Nothing to save yet"), ("text = " + text, "Not saved yet")]:
            self.type(line, seen)

    def type(self, line, seen=None):
        start = len(self.seen)
        os.write(self.leader, line.encode() + b"\r")
        if seen:
            self.wait(seen, start)

    def read(self, seconds):
        if self.screen < 0 or not select.select([self.screen], [], [], seconds)[0]:
            return False
        try:
            self.seen += os.read(self.screen, 65536)
            return True
        except OSError:
            time.sleep(seconds)
            return False

    def wait(self, text, start=0):
        """Waits until a text is shown, with the prompt below it."""
        end = time.monotonic() + LIMIT
        while True:
            shown = SEQUENCES.sub(b"", self.seen[start:]).decode("utf-8", "replace")
            found = shown.find(text)
            if found >= 0 and "\n> " in shown[found:].replace("\r", ""):
                return
            if time.monotonic() > end:
                raise Stuck(f"'{text}' was not shown; there was {shown[-300:]!r}; {self.situation()}")
            self.read(0.05)

    def situation(self):
        """What the processes of the app do, and what was said on standard error."""
        states = []
        for process in self.processes():
            with open(f"/proc/{process}/status", encoding="utf-8") as file:
                status = re.sub(r"\s+", " ", " ".join(
                    line for line in file if re.match("State|PPid|Sig|Shd|Threads", line)))
            states.append(f"{process}: {status}")
        with open(self.errors, encoding="utf-8", errors="replace") as file:
            return f"processes {states}, status {self.process.poll()}, {file.read()[-300:]!r}"

    def processes(self):
        """The processes of the app, the supervisor first."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if f"folder={self.notes}".encode() in words and words[0].endswith(b"appcore"):
                found.append(int(path.split("/")[2]))
        return sorted(found, key=lambda process: parent(process) in found)

    def send(self, which, number):
        processes = self.processes()
        if len(processes) != 2:
            raise Stuck(f"there are the processes {processes}")
        os.kill(processes[which], number)

    def close(self, *, screen_only=False):
        ends = {self.screen} if screen_only else {self.screen, self.leader}
        self.screen, self.leader = -1, self.leader if screen_only else -1
        for end in ends - {-1}:
            os.close(end)

    def finish(self):
        """Waits until all processes have ended; returns the status."""
        end = time.monotonic() + LIMIT
        while (alive := self.processes()) or self.process.poll() is None:
            if time.monotonic() > end:
                raise Stuck(f"{alive or 'the shell'} is still there")
            self.read(0.05)
        return self.process.returncode

    def trouble(self, status, tells):
        """What is wrong once the app has ended; None where nothing is."""
        saved = [path for path in glob.glob(self.notes + "/ada/*.txt") if self.holds(path)]
        if saved:
            return None
        copies = [path for path in glob.glob(self.state + "/appcore/unsaved/*") if self.holds(path)]
        with open(self.errors, encoding="utf-8", errors="replace") as file:
            errors = file.read()
        if not copies:
            return f"the text is lost; status {status}, {errors[-300:]!r}"
        if f"'{copies[0]}'" not in errors:
            return f"nobody was told of the copy; status {status}, {errors[-300:]!r}"
        if tells and status != 74:
            return f"the status is {status} where only a copy is there"
        return None

    def holds(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read() == self.text

    def clean(self):
        self.close()
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def quit(app):
    app.type(":quit")


def end_input(app):
    os.write(app.leader, b"\x04")


def interrupt(app):
    """Ctrl-C is no way out; what follows it is."""
    os.write(app.leader, b"\x03")
    app.type("@nothing")
    app.type(":quit")


def window(app):
    app.close()


def screen_gone(app):
    """Nothing can be printed any more; the next line finds that out. A program that is being started
    for another try may hold the screen a moment longer."""
    app.close(screen_only=True)
    end = time.monotonic() + LIMIT
    while app.process.poll() is None and time.monotonic() < end:
        app.type(":path")
        time.sleep(0.2)


def asks(which, number):
    """A signal that asks for the end: to the supervisor (0) or to the worker (1)."""
    return lambda app: app.send(which, number)


def is_survived(which, number):
    """A signal that does not: the app is there afterwards, with its text. The supervisor hands it on to
    the worker, which ignores SIGPIPE and crashes by any other, and what is typed meanwhile is lost."""
    def way(app):
        start = len(app.seen)
        app.send(which, number)
        if number != signal.SIGPIPE:
            app.wait("restored in", start)
        app.type(":path", "editor")
        app.type(":quit")
    return way


# Each with whether the app leads its session, and whether its status can be seen.
WAYS = [
    ("the window is closed, and the app leads its session", window, True, False),
    ("the window is closed, and a shell leads its session", window, False, False),
    (":quit", quit, True, True),
    ("the end of the input", end_input, True, True),
    ("standard output is gone", screen_gone, True, True),
    ("Ctrl-C and :quit", interrupt, False, True),
    ("the supervisor is killed", asks(0, signal.SIGKILL), True, False),
] + [
    (f"{number.name} to the {name}", asks(which, number), which == 0, True)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    for which, name in ((0, "supervisor"), (1, "worker"))
] + [
    (f"{number.name} to the {name}", is_survived(which, number), which == 0, True)
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGSEGV, signal.SIGPIPE,
                   signal.SIGABRT)
    for which, name in ((0, "supervisor"), (1, "worker"))
] + [("the worker is killed", is_survived(1, signal.SIGKILL), True, True)]


def once(appcore, library, seconds, number):
    name, way, leads, has_status = WAYS[number % len(WAYS)]
    app = None
    try:
        app = App(appcore, library, seconds, leads, f"Milk {number}", way is screen_gone)
        way(app)
        trouble = app.trouble(app.finish(), has_status)
    except (Stuck, OSError) as error:
        trouble = f"{error}"
    finally:
        if app:
            app.clean()
    return trouble and f"{name}, fsync {seconds} s: {trouble}"


def ways_out(seconds):
    def run(appcore, tries, chance):
        folder = os.environ["WORK"]
        with open(folder + "/slow.c", "w", encoding="utf-8") as file:
            file.write(SLOW)
        library = folder + "/slow.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder + "/slow.c"], check=True)
        with concurrent.futures.ThreadPoolExecutor(WIDTH) as pool:
            yield from pool.map(lambda number: once(appcore, library, seconds, number), range(tries))
    return run


if __name__ == "__main__":
    attack.run({f"fsync-{seconds}": ways_out(seconds) for seconds in (0, 0.3, 1, 3)})
