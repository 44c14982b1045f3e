"""Attacks by what is typed: each is a generator that gives, for each line or second, what went wrong."""

import os
import re
import subprocess
import sys
import threading
import time

import attack

APPS = [
    "Tests/Fixtures/manifests/mocks/counter.yaml", "manifests/packages.yaml", "manifests/notes.yaml",
    "Tests/Fixtures/manifests/mocks/good.yaml",
]
WORDS = """
:back :dismiss :tab :open :press :next :prev :page :find :path :graph :state :log :plugins :explain
:expect :expect-path :help :history @add @name @login @new @text @save @filter @yes @no @dialog.save
add filter name 1 2 3 7 99 999999999999999999999 -1 0 = == " "" \\ \\u0000 "\\ud800" <<END END <<
--full note/ada/1 / // .. ; # ## $. {$.title} null true 1e400 \x1b[2J \x1b]0;x\x07 \u202e \u200b
ada home account notes é 漢字 👩‍👩‍👧 a\u0301\u0301 \u2028 \x00 \x7f
""".split(" ")
# What ends the program, or lets it wait: that is no failure.
IDLE = re.compile(rb"^\s*(:\s*(q|e|w|s|r|reload)|.*within|.*quit)", re.IGNORECASE)
BATCH = 20_000


def line(chance):
    """A line: of words that mean something, of bytes, or a long one."""
    kind = chance.randrange(10)
    if kind < 6:
        words = [chance.choice(WORDS).strip("\n") for _ in range(chance.randint(1, 4))]
        text = chance.choice([" ", " ", "", "="]).join(words).encode("utf-8", "surrogatepass")
    elif kind < 9:
        text = chance.randbytes(chance.randint(0, 60))
    else:
        text = chance.choice([b"@name ", b"", b":find "]) + chance.randbytes(20) * chance.randint(1, 40)
    text = text.replace(b"\n", b" ")
    return b"# " + text if IDLE.match(text) else text


def fuzzed(appcore, tries, chance):
    done = 0
    batch = 0
    while done < tries:
        app = APPS[batch % len(APPS)]
        batch += 1
        count = min(BATCH, tries - done)
        lines = [line(chance) for _ in range(count)]
        # A text of several lines that is not ended would take the rest.
        lines[-1] = b"END"
        process = subprocess.run(
            [appcore, "run", app, "--json"], input=b"\n".join(lines) + b"\n", timeout=600,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=os.environ | {"APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status"})
        trouble = None
        if process.returncode != 0:
            trouble = f"batch {batch} of {app} ended with {process.returncode}: {process.stderr[-300:]}"
        for _ in range(count - 1):
            yield None
        yield trouble
        done += count


class Reloaded:
    """An app whose plugin is built anew while it runs, with a pipe to write to."""

    def __init__(self, appcore):
        self.folder = os.environ["WORK"] + "/app"
        with open(self.folder + "/libMockFaults.so", "rb") as file:
            self.bytes = file.read()
        self.builds = 0
        self.process = subprocess.Popen(
            [appcore, "run", self.folder + "/app.yaml", "--json"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0
        self.last = b""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        # The first screen answers no line.
        while self.count == 0 and self.process.poll() is None:
            time.sleep(0.001)

    def read(self):
        for line in self.process.stdout:
            self.last = line
            self.count += 1

    def send(self, line):
        """Sends a line and waits for its screen; whether it came within a minute."""
        count = self.count
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return False
        end = time.monotonic() + 60
        while self.count == count:
            if time.monotonic() > end or self.process.poll() is not None:
                return self.count > count
            time.sleep(0.0005)
        return True

    def build(self):
        """Puts another build of the plugin in the place of the last one."""
        self.builds += 1
        path = self.folder + "/new"
        with open(path, "wb") as file:
            file.write(self.bytes + f"build {self.builds}".encode())
        os.rename(path, self.folder + "/libMockFaults.so")

    def reload(self):
        """Builds anew and reloads; returns what is wrong then."""
        self.build()
        if not self.send(":reload MockFaults"):
            return f"it ended with {self.process.poll()} at build {self.builds}"
        if b"was replaced" not in self.last:
            return f"build {self.builds} was not taken: {self.last[:300]}"
        return None

    def memory(self):
        """What the process has in memory, in MiB."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4096 / 1048576

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(60)
        self.reader.join(10)
        return None if status == 0 else f"it ended with {status}"


def copies():
    """The copies of plugins in the cache, in number."""
    folder = os.environ["XDG_CACHE_HOME"] + "/appcore/plugins"
    return len([name for name in os.listdir(folder) if name.endswith(".so")])


def growth(appcore, tries, chance):
    app = Reloaded(appcore)
    app.send(":path")
    for number in range(tries):
        trouble = app.reload()
        # Eight are kept, and those of the last five minutes, which is what a machine can make in them.
        if not trouble and number % 100 == 99 and copies() > 8 + recent():
            trouble = f"{copies()} copies are in the cache"
        if trouble and app.process.poll() is not None:
            yield trouble
            return
        yield trouble
    trouble = app.end()
    if trouble:
        yield trouble


def recent():
    """The copies of the last six minutes: one is forgotten some time after its five."""
    folder = os.environ["XDG_CACHE_HOME"] + "/appcore/plugins"
    now = time.time()
    return len([name for name in os.listdir(folder)
                if name.endswith(".so") and now - os.stat(f"{folder}/{name}").st_mtime < 360])


def soak(appcore, tries, chance):
    """Lines without pause for so many seconds, with a reload every two."""
    app = Reloaded(appcore)
    app.send(":path")
    lines = [":path", "@fault", "@effect", ":state", ":log", ":plugins", "@nothing", ":help", ":graph"]
    base = None
    for second in range(tries):
        end = time.monotonic() + 1
        trouble = app.reload() if second % 2 == 1 else None
        while not trouble and time.monotonic() < end:
            if not app.send(chance.choice(lines)):
                trouble = f"it ended with {app.process.poll()}"
        if not trouble and second == 60:
            base = (app.memory(), app.builds)
        if base and not trouble:
            # A build stays in memory: half a megabyte each, and what is logged.
            limit = base[0] + (app.builds - base[1]) * 0.5 + 64
            if app.memory() > limit:
                trouble = f"it has {app.memory():.0f} MiB in memory after {second} s"
        yield trouble
        if trouble and app.process.poll() is not None:
            return
    trouble = app.end()
    if trouble:
        yield trouble
    print(f"attack: {app.count} lines, {app.builds} reloads", file=sys.stderr)


if __name__ == "__main__":
    attack.run({"fuzzed": fuzzed, "growth": growth, "soak": soak})
