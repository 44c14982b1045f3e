#!/usr/bin/env python3
"""Prints a dpkg status file of N made-up packages, about 850 bytes each.

usage: generate-status.py N [SEED] > status

The same N and SEED give the same bytes. Names, dependencies and texts have the shape of a Debian
system's: libraries that many packages need, circular pairs, virtual packages, removed packages
that left their configuration. All is amd64 or all.
"""

import random
import sys

WORDS = (
    "core data display driver editor engine event file font format framework graph image input "
    "kernel language layer library manager media memory message module network object output "
    "package parser plugin print process protocol python query render runtime schema server "
    "session shell signal socket sound stream string system table terminal text thread tool "
    "transport tree utility video view widget window xml"
).split()
SECTIONS = "admin devel doc editors fonts games gnome kde libs net perl python science utils".split()
TEXT = (
    "This package contains the %s that is used by the %s and by several other programs of this "
    "system. It is needed at run time and is usually installed automatically when something else "
    "needs it; there is little reason to install it by hand."
)


def wrapped(text):
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 76:
            lines.append(line)
            line = ""
        line += " " + word
    return lines + [line]


def names_of(count, rng):
    """Names, each once, in the order they are made; the first twentieth are libraries."""
    names = ["libcore-system0"]
    for number in range(1, count):
        one, two = rng.choice(WORDS), rng.choice(WORDS)
        if number < max(count // 20, 1):
            names.append("lib%s-%s%d" % (one, two, number))
        else:
            names.append("%s-%s%d%s" % (one, two, number, rng.choice(["", "-dev", "-data", "-doc"])))
    return names


def main():
    count = int(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    made = names_of(count, rng)[:count]
    libraries = made[: max(count // 20, 1)]
    # A pair of neighbours in the file needs each other, as libc6 and libgcc-s1 do.
    names = sorted(made)
    out = sys.stdout
    for place, name in enumerate(names):
        version = "%d.%d.%d-%d" % (
            rng.randrange(12), rng.randrange(40), rng.randrange(20), 1 + rng.randrange(9))
        if rng.random() < 0.05:
            version = "1:" + version
        is_library = name.startswith("lib")
        removed = rng.random() < 0.02
        depends = []
        if name != made[0]:
            depends.append("%s (>= 2.%d)" % (made[0], rng.randrange(40)))
        for _ in range(rng.randrange(1, 6)):
            other = rng.choice(libraries if rng.random() < 0.8 else names)
            if other != name:
                depends.append(
                    other + (" (>= %d.%d)" % (rng.randrange(3), rng.randrange(9))
                             if rng.random() < 0.6 else ""))
        if rng.random() < 0.1:
            depends.append("%s | virtual-%s" % (rng.choice(names), rng.choice(WORDS)))
        if place % 50 == 0 and place + 1 < count:
            depends.append(names[place + 1])
        if place % 50 == 1:
            depends.append(names[place - 1])
        out.write("Package: %s\n" % name)
        out.write("Status: %s\n" % (
            "deinstall ok config-files" if removed else "install ok installed"))
        out.write("Priority: %s\nSection: %s\nInstalled-Size: %d\n" % (
            rng.choice(["optional", "optional", "optional", "important"]),
            "libs" if is_library else rng.choice(SECTIONS), rng.randrange(10, 90000)))
        out.write("Maintainer: Debian %s Team <pkg-%s@lists.example.org>\n" % (
            rng.choice(WORDS).title(), rng.choice(WORDS)))
        if is_library:
            out.write("Architecture: amd64\nMulti-Arch: same\n")
        else:
            out.write("Architecture: %s\n" % ("all" if rng.random() < 0.3 else "amd64"))
        if rng.random() < 0.5:
            out.write("Source: %s (%s)\n" % (rng.choice(made), version))
        out.write("Version: %s\n" % version)
        if rng.random() < 0.1:
            out.write("Provides: virtual-%s, %s-compat (= %s)\n" % (
                rng.choice(WORDS), name, version))
        if rng.random() < 0.05:
            out.write("Pre-Depends: %s\n" % rng.choice(libraries))
        out.write("Depends: %s\n" % ", ".join(depends))
        if rng.random() < 0.15:
            out.write("Recommends: %s\n" % rng.choice(names))
        if rng.random() < 0.2:
            out.write("Suggests: %s, %s-doc\n" % (rng.choice(names), name))
        out.write("Description: %s %s for the %s\n" % (
            rng.choice(WORDS), rng.choice(WORDS), rng.choice(WORDS)))
        out.write("\n".join(wrapped(TEXT % (rng.choice(WORDS), rng.choice(WORDS)))) + "\n")
        if rng.random() < 0.5:
            out.write(" .\n It also holds:\n  - the %s,\n  - a %s.\n" % (
                rng.choice(WORDS), rng.choice(WORDS)))
        out.write("Homepage: https://%s.example.org/%s\n\n" % (rng.choice(WORDS), name))


if __name__ == "__main__":
    main()
