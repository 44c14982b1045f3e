#!/usr/bin/env python3
"""Writes the reference of the public declarations of modules as Markdown, from their symbol graphs.

  scripts/reference.py FOLDER GRAPH.symbols.json…

There is a page for each folder of a module's sources. It lists the types in the order of the
sources, each with its members. Symbol links in comments become links to the symbol's type.
"""
import json
import os
import sys

TYPES = {"swift.struct", "swift.enum", "swift.class", "swift.protocol"}


class Symbol:
    """One public declaration."""

    def __init__(self, entry, module, conformances):
        self.module = module
        # The names from the outermost type to the declaration itself.
        self.path = entry["pathComponents"]
        self.is_type = entry["kind"]["identifier"] in TYPES
        self.declaration = "".join(part["spelling"] for part in entry["declarationFragments"])
        self.comment = [line["text"] for line in entry.get("docComment", {}).get("lines", [])]
        names = {name.removeprefix("Swift.") for name in conformances}
        self.conformances = sorted(names - {"", "Copyable", "Escapable", "SendableMetatype"})
        location = entry.get("location", {"uri": "", "position": {"line": 0}})
        self.file, self.line = location["uri"], location["position"]["line"]
        # The top-level folder of the module's sources that holds the file; empty if none does.
        below = self.file.split(f"/{module}/")[-1].split("/")
        self.folder = below[0] if len(below) > 1 else ""
        self.name = ".".join(self.path)
        self.owner = ".".join(self.path[:-1])
        self.is_entry = self.is_type or len(self.path) == 1


class Page:
    def __init__(self, module, title):
        self.module, self.title, self.entries = module, title, []
        self.path = f"{module}/{title}.md"


class Book:
    """All symbols, grouped into pages."""

    def __init__(self, symbols):
        self.pages, self.places, self.members = [], {}, {}
        types = {symbol.name for symbol in symbols if symbol.is_type}
        for symbol in symbols:
            if not symbol.is_entry:
                self.members.setdefault(symbol.owner, []).append(symbol)
        for symbol in symbols:
            if symbol.is_entry:
                self.add(symbol, symbol.folder or symbol.module)
        # Members that are added to types of the standard library, which have no entry.
        foreign = [symbol for symbol in symbols if not symbol.is_entry and symbol.owner not in types]
        for symbol in sorted(foreign, key=lambda symbol: (symbol.name, symbol.line)):
            self.add(symbol, "Standard library")

    def add(self, symbol, title):
        page = next(
            (page for page in self.pages if (page.module, page.title) == (symbol.module, title)), None)
        if page is None:
            page = Page(symbol.module, title)
            self.pages.append(page)
        page.entries.append(symbol)
        self.places[symbol.name] = page

    def contents(self):
        text = "# Reference\n"
        for module in dict.fromkeys(page.module for page in self.pages):
            text += f"\n## {module}\n\n"
            for page in self.pages:
                if page.module == module:
                    names = ", ".join(dict.fromkeys(f"`{entry.name}`" for entry in page.entries))
                    text += f"- [{page.title}]({escaped(page.path)}): {names}\n"
        return text

    def text(self, page):
        text = f"# {page.module}: {page.title}\n"
        for entry in page.entries:
            text += f"\n## {entry.name}\n\n" + self.description(entry, page)
            if entry.conformances:
                text += "\nConforms to " + ", ".join(f"`{name}`" for name in entry.conformances) + ".\n"
            for member in self.members.get(entry.name, []) if entry.is_type else []:
                if member.module == page.module:
                    text += f"\n**`{member.path[-1]}`**\n\n" + self.description(member, page)
        return text

    def description(self, symbol, page):
        text = f"```swift\n{symbol.declaration}\n```\n" + ("\n" if symbol.comment else "")
        is_code = False
        for line in symbol.comment:
            if line.startswith("```"):
                is_code = not is_code
            text += (line if is_code else self.linked(line, symbol, page)) + "\n"
        return text

    def linked(self, line, symbol, page):
        """A line of a comment with Markdown links in the place of symbol links."""
        pieces = line.split("``")
        # A piece with an odd index is a link, unless its closing backticks are missing.
        for index in range(1, len(pieces) - 1, 2):
            # In `merge(_:)-(Effect...)` the part from the hyphen on selects an overload.
            words = [word.split("-(")[0] for word in pieces[index].split("/")]
            name = ".".join(words)
            target, entry = self.place(words, symbol)
            if target is None:
                pieces[index] = f"`{name}`"
            else:
                file = "" if target is page else "../" + escaped(target.path)
                pieces[index] = f"[`{name}`]({file}#{anchor(entry)})"
        return "".join(pieces) if len(pieces) > 2 else line

    def place(self, words, symbol):
        """The page and entry that a link leads to: the symbol's own, or that of its type.

        As in Swift, a name is looked up from the innermost scope of the symbol outwards.
        """
        for outer in range(len(symbol.path), -1, -1):
            path = symbol.path[:outer] + words
            name, owner = ".".join(path), ".".join(path[:-1])
            if name in self.places:
                return self.places[name], name
            if owner in self.places and any(m.path == path for m in self.members.get(owner, [])):
                return self.places[owner], owner
        return None, None


def anchor(heading):
    """The anchor that a Markdown renderer makes of a heading."""
    return "".join(c for c in heading.lower() if c.isalnum() or c in "_-")


def escaped(path):
    return path.replace(" ", "%20")


def symbols(graph):
    """The symbols of one graph, in the order of the sources."""
    module = graph["module"]["name"]
    conformances = {}
    for relationship in graph["relationships"]:
        if relationship["kind"] == "conformsTo":
            target = relationship.get("targetFallback", "")
            conformances.setdefault(relationship["source"], []).append(target)
    found = [
        Symbol(entry, module, conformances.get(entry["identifier"]["precise"], []))
        for entry in graph["symbols"]
    ]
    # Plugin authors don't call declarations in generated files.
    written = [symbol for symbol in found if not symbol.file.endswith(".generated.swift")]
    return sorted(written, key=lambda symbol: (symbol.file, symbol.line))


def main(folder, graphs):
    found = []
    for path in graphs:
        with open(path, encoding="utf-8") as file:
            found += symbols(json.load(file))
    book = Book(found)
    pages = {"README.md": book.contents()} | {page.path: book.text(page) for page in book.pages}
    for path, text in pages.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


if len(sys.argv) < 3:
    sys.exit("usage: scripts/reference.py FOLDER GRAPH.symbols.json…")
main(sys.argv[1], sys.argv[2:])
