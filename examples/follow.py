#!/usr/bin/env python3
"""Follow the live screen of an appcore app, and type into it.

    follow.py MANIFEST [--until TEXT] [--then LINE] [option of 'appcore run' ...]

Prints each screen with its cause. Once one shows TEXT, LINE is typed.
"""

import argparse
import json
import subprocess

class App:
    """An app that prints a screen whenever its effects have changed it."""

    def __init__(self, manifest, options=()):
        self.lines = 0
        self.process = subprocess.Popen(
            ["appcore", "run", manifest, "--json", "--live", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def screens(self):
        """Every screen, until the app ends; a refused line raises."""
        for line in self.process.stdout:
            answer = json.loads(line)
            if "error" in answer:
                raise RuntimeError(answer["error"]["text"])
            if "screen" in answer:
                yield answer

    def type(self, line):
        """Types a line; the screen whose cause has its number answers it."""
        self.lines += 1
        print(line, file=self.process.stdin, flush=True)
        return self.lines


def texts(screen):
    return [part["text"] for part in screen["elements"] if "text" in part]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest")
    parser.add_argument("--until", default="")
    parser.add_argument("--then", default=":wait")
    arguments, options = parser.parse_known_args()
    app, typed = App(arguments.manifest, options), 0
    for screen in app.screens():
        cause = screen["cause"]
        print(screen["title"], texts(screen), "<-", cause.get("action", cause["origin"]))
        if not typed and any(arguments.until in text for text in texts(screen)):
            typed = app.type(arguments.then)
        elif typed and cause.get("line") == typed:
            app.type(":quit")


if __name__ == "__main__":
    main()
