"""Attacks on the text of the notes app: each is a generator that gives, for each try, what was lost."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import attack


class Notes:
    """The notes app with a pipe to write to and one to read from, on a folder of its own."""

    def __init__(self, appcore, save_after):
        self.folder = tempfile.mkdtemp(prefix="notes-", dir=os.environ["WORK"])
        self.process = subprocess.Popen(
            [appcore, "run", "manifests/notes.yaml", "--json", "--set", f"folder={self.folder}",
             "--set", f"saveAfter={save_after}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.write("@name ada", "@login", "@new")
        for _ in range(4):
            self.screen()

    def write(self, *lines):
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def screen(self):
        """The next screen; None at the end, also where it is cut off."""
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            return None
        try:
            return json.loads(line)
        except ValueError:
            raise RuntimeError(f"not a screen: {line[:200]!r}") from None

    def end(self):
        """Reads to the end; returns the screens."""
        screens = []
        while (screen := self.screen()) is not None:
            screens.append(screen)
        self.process.wait()
        return screens

    def saved(self):
        """The last version of the note; an empty text where there is none."""
        best = (0, "")
        for folder, _, names in os.walk(self.folder):
            for name in names:
                parts = name.split(".")
                if len(parts) == 3 and parts[1].isdigit():
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        best = max(best, (int(parts[1]), file.read()))
        return best[1]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def text(screen, must_be_saved=False):
    """The text of the editor, if the screen shows one, and says that it is saved where it must."""
    elements = screen.get("elements", [])
    if must_be_saved and not any(element.get("text") == "Saved" for element in elements):
        return None
    return next((element.get("value") for element in elements if element.get("id") == "text"), None)


def last_round(text):
    """The number that a text ends with; 0 where it is none."""
    word = (text or "").split()[-1:]
    return int(word[0]) if word and word[0].isdigit() else 0


def accepted(appcore, tries, chance):
    for number in range(tries):
        notes = Notes(appcore, 0 if number % 2 else 3600)
        notes.write(*(f"@text round {round}" for round in range(1, 51)))
        screens = [notes.screen() for _ in range(chance.randint(1, 5))]
        time.sleep(chance.random() * 0.003)
        notes.process.send_signal(signal.SIGTERM)
        screens += notes.end()
        shown = max(last_round(text(screen)) for screen in screens if screen)
        saved = last_round(notes.saved())
        notes.close()
        yield f"round {shown} was shown, {saved} is saved" if saved < shown else None


def hang_ups(appcore, tries, chance):
    for _ in range(tries):
        notes = Notes(appcore, 3600)
        notes.write("@text Milk")
        notes.screen()
        for _ in range(3):
            notes.process.send_signal(signal.SIGHUP)
            time.sleep(chance.random() * 0.004)
            if notes.process.poll() is not None:
                break
        notes.end()
        saved = notes.saved()
        notes.close()
        yield f"'{saved}' is saved" if saved != "Milk" else None


def killed(appcore, tries, chance):
    for number in range(tries):
        # By itself, as soon as it is changed, or when it is told to.
        is_automatic = number % 2 == 1
        notes = Notes(appcore, 0 if is_automatic else 3600)
        rounds = chance.randint(1, 5)
        confirmed = 0
        for round in range(1, rounds + 1):
            notes.write(f"@text round {round}", ":path" if is_automatic else "@save")
            while round < rounds and confirmed < round:
                screen = notes.screen()
                confirmed = max(confirmed, last_round(text(screen, must_be_saved=True)))
                if confirmed < round:
                    notes.write(":path")
        time.sleep(chance.random() * 0.006)
        notes.process.kill()
        for screen in notes.end():
            confirmed = max(confirmed, last_round(text(screen, must_be_saved=True)))
        saved = last_round(notes.saved())
        notes.close()
        yield f"round {confirmed} was confirmed, {saved} is there" if saved < confirmed else None


if __name__ == "__main__":
    attack.run({"accepted": accepted, "hang-ups": hang_ups, "killed": killed})
