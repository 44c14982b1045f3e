"""An attack on a shared value in a file: it gives, for each try, what was lost."""

import json
import os
import subprocess
import tempfile
import time

import attack


class Texts:
    """The app with one shared text, with a pipe to write to and one to read from."""

    def __init__(self, appcore, file):
        app = os.path.join(os.environ["WORK"], "app")
        self.process = subprocess.Popen(
            [appcore, "run", f"{app}/app.yaml", "--json", "--plugin-path", app, "--set",
             f"file={file}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def write(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def screen(self):
        """The next screen; None at the end, also where it is cut off."""
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def close(self):
        """Reads to the end, and gives the screens."""
        screens = []
        while (screen := self.screen()) is not None:
            screens.append(screen)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        return screens


def confirmed(screen):
    """The round that the screen says to be saved; 0 where it says none."""
    texts = [element.get("text", "") for element in screen.get("elements", [])]
    return max((int(text.split()[1]) for text in texts if text.startswith("round ")), default=0)


def shown(appcore, file):
    """The round that the app shows when it is started again."""
    texts = Texts(appcore, file)
    texts.process.stdin.close()
    screen = texts.screen()
    texts.process.stdout.close()
    texts.process.wait()
    value = next(element["value"] for element in screen["elements"] if element.get("id") == "text")
    return int(value.split()[1]) if value else 0


def killed(appcore, tries, chance):
    # One file for all: what a killed app has left, the next one continues with.
    folder = tempfile.mkdtemp(dir=os.environ["WORK"])
    file = os.path.join(folder, "text.json")
    last = 0
    for _ in range(tries):
        texts = Texts(appcore, file)
        texts.screen()
        first, end = last + 1, last + chance.randint(1, 5)
        for round in range(first, end + 1):
            texts.write(f"@text round {round}", "@save")
            while round < end and last < round:
                last = max(last, confirmed(texts.screen()))
                if last < round:
                    texts.write(":path")
        # The file is also written by itself, a moment after a change.
        time.sleep(chance.random() * (0.006 if chance.random() < 0.5 else 0.6))
        texts.process.kill()
        last = max([last] + [confirmed(screen) for screen in texts.close()])
        try:
            with open(file, encoding="utf-8") as content:
                found = json.load(content)
        except FileNotFoundError:
            found = None
        except ValueError as error:
            yield f"the file is damaged: {error}"
            os.remove(file)
            continue
        saved = int(found.split()[1]) if found else 0
        if saved < last:
            yield f"round {last} was confirmed, {saved} is in the file"
        elif shown(appcore, file) != saved:
            yield f"round {saved} is in the file, and another one was shown"
        else:
            yield None
        last = saved


if __name__ == "__main__":
    attack.run({"killed": killed})
