#!/usr/bin/env python3
"""Writes the manual pages of the program and of each command, from what its help says.

  scripts/manual.py PROGRAM FOLDER
"""
import json
import os
import subprocess
import sys

STATUSES = [
    ("0", "All went well."),
    ("64", "The command line is wrong."),
    ("65", "The manifest, or a line of a script, is wrong, or a running app refuses a client."),
    ("66", "There is no such file, or nobody listens at a socket."),
    ("69", "The only errors are plugins that can't be loaded."),
    ("70", "A fault of appcore's own."),
    ("73", "The file for a profile can't be written, or a socket can't be opened."),
    ("74", "Reading or writing failed."),
    ("128 + n", "Ended by signal n; 130 on an interrupt, 141 where nobody reads the output."),
]
VARIABLES = [
    ("APPCORE_PLUGIN_PATH", "Folders to search for plugins, parted by colons."),
    ("APPCORE_PLAIN", "Linear text instead of drawing, unless empty or 0."),
    ("NO_COLOR", "No colours, unless empty."),
    ("CLICOLOR_FORCE", "Colours in pipes too, unless empty or 0."),
    ("COLUMNS", "The width where the output is not a terminal."),
]
# What roff reads otherwise than it is meant.
ESCAPES = {"\\": "\\e", "-": "\\-", "'": "\\(aq", '"': "\\(dq", "`": "\\(ga", "^": "\\(ha",
           "~": "\\(ti", "\n": " "}


def escaped(text):
    """The text in ASCII, with a first character that begins no request."""
    text = "".join(
        ESCAPES.get(c, c if c.isascii() else "\\[u%04X]" % ord(c)) for c in text)
    return "\\&" + text if text.startswith((".", "'")) else text


def macro(name, *words):
    return " ".join(["." + name] + ['"%s"' % escaped(word) for word in words])


def paragraph(text):
    return [".PP", escaped(text)]


def items(pairs):
    for term, meaning in pairs:
        yield from [".TP", macro("B", term), escaped(meaning) or "\\&"]


def example(lines):
    return [".PP", ".nf", *(escaped(line) or " " for line in lines), ".fi"]


def shown(entries):
    return [entry for entry in entries if entry.get("shouldDisplay", True)]


def value(argument):
    return "" if argument["kind"] == "flag" else "<%s>" % argument["valueName"]


def names(argument):
    if argument["kind"] == "positional":
        return []
    return [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument["names"]]


def synopsis(argument):
    """The argument as `[--json]` or `<manifest> …`."""
    text = " ".join(filter(None, names(argument)[-1:] + [value(argument)]))
    text += " …" if argument["isRepeating"] else ""
    return "[%s]" % text if argument["isOptional"] else text


def page(words, command, subcommands, version, others):
    arguments = shown(command.get("arguments", []))
    name = "-".join(words)
    yield macro("TH", name.upper(), "1", "", "appcore " + version, "appcore")
    yield macro("SH", "NAME")
    yield from paragraph(name + " — " + command["abstract"])
    yield macro("SH", "SYNOPSIS")
    yield from paragraph(" ".join(words + [synopsis(argument) for argument in arguments]))
    if subcommands:
        yield from paragraph(" ".join(words + ["<command> …"]))
        yield macro("SH", "COMMANDS")
        yield from items((entry["commandName"], entry["abstract"]) for entry in subcommands)
    yield macro("SH", "OPTIONS")
    for argument in arguments:
        heading = " ".join(filter(None, [", ".join(names(argument)), value(argument)]))
        yield from items([(heading, argument.get("abstract", ""))])
    text, _, examples = command.get("discussion", "").partition("Examples:\n")
    if text.strip():
        yield macro("SH", "DESCRIPTION")
        for line in filter(None, text.split("\n")):
            yield from example([line]) if line.startswith(" ") else paragraph(line)
    if examples:
        yield macro("SH", "EXAMPLES")
        yield from example(examples.split("\n"))
    yield macro("SH", "EXIT STATUS")
    yield from items(STATUSES)
    yield macro("SH", "ENVIRONMENT")
    yield from items(VARIABLES)
    yield macro("SH", "SEE ALSO")
    yield from paragraph(", ".join(other + "(1)" for other in others if other != name))


def tree(words, command):
    """The command and those below it at any depth, each with its words and subcommands."""
    subcommands = [
        entry for entry in shown(command.get("subcommands", [])) if entry["commandName"] != "help"]
    yield words, command, subcommands
    for entry in subcommands:
        yield from tree(words + [entry["commandName"]], entry)


def main(program, folder):
    def output(*arguments):
        return subprocess.run(
            [program, *arguments], check=True, capture_output=True, text=True).stdout

    version = json.loads(output("--version", "--json"))["version"]
    pages = list(tree(["appcore"], json.loads(output("--experimental-dump-help"))["command"]))
    others = ["-".join(words) for words, _, _ in pages]
    for words, command, subcommands in pages:
        lines = page(words, command, subcommands, version, others)
        with open(os.path.join(folder, "-".join(words) + ".1"), "w") as file:
            file.write("\n".join(lines) + "\n")


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
