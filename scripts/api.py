#!/usr/bin/env python3
"""Holds the SDK to what it has promised to plugins; see docs/versions.md.

  scripts/api.py check    lists what the build breaks for plugins of the recorded releases
  scripts/api.py list     writes the list of what only hosts may use, for the host to know it
  scripts/api.py record   writes the interface of a new release to api/, once

They look at the modules of `swift build`, and at the releases in api/; --modules FOLDER and
--api FOLDER name others.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SDK = os.path.join(ROOT, "Sources/SDK/AppCore/SDK.swift")
HOST_LIST = os.path.join(ROOT, "Sources/PluginHost/Validation/HostOnlySymbols+Prefixes.swift")


def fail(message, status=70):
    print(f"api: {message}", file=sys.stderr)
    sys.exit(status)


def declared(name):
    with open(SDK) as file:
        found = re.search(rf'static let {name} = "?([0-9A-Za-z.-]+)"?', file.read())
    return found[1] if found else fail(f"SDK.swift declares no {name}")


def digester(*arguments):
    """Runs the toolchain's digester, which says what is wrong on stderr."""
    result = subprocess.run(
        ["swift-api-digester", "-swift-version", "6", *arguments],
        capture_output=True, text=True)
    if result.returncode != 0:
        fail(f"swift-api-digester failed:\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def dump(modules, output, cache, abi):
    digester(
        "-dump-sdk", "-module", "AppCore", "-I", modules, "-module-cache-path", cache,
        "-avoid-location", "-avoid-tool-args", "-abort-on-module-fail", "-o", output, *(["-abi"] if abi else []))


def breaks(old, new, work, abi):
    """What was promised in the modules of one folder and is not kept in those of another."""
    kind = "abi" if abi else "source"
    dumps = []
    for number, modules in enumerate([old, new]):
        path = os.path.join(work, f"{kind}-{number}.json")
        dump(modules, path, os.path.join(work, "cache"), abi)
        dumps.append(path)
    report = digester(
        "-diagnose-sdk", "-ignore-spi-group", "Host", "--input-paths", dumps[0],
        "--input-paths", dumps[1], "-disable-fail-on-error", *(["-abi"] if abi else []))
    lines = [line.strip() for line in report.splitlines()]
    if abi:
        lines += superclass_changes(*dumps)
    # Headings stand in comments. A new declaration needs no '@available': where a host lacks it, the
    # host says so, and which release has it.
    return [
        line for line in lines
        if line and not line.startswith("/*") and "is a new API without '@available'" not in line
        and not is_same_private_name(line)]


def superclass_changes(*dumps):
    """The classes whose layout plugins know, and whose superclass is another: a new one, which the
    digester does not mention, moves all stored properties."""
    found = []
    for path in dumps:
        with open(path) as file:
            tree = json.load(file)
        classes = {}

        def walk(node):
            if node.get("declKind") == "Class" and "FixedLayout" in node.get("declAttributes", []):
                classes[node["printedName"]] = node.get("superclassUsr")
            for child in node.get("children", []):
                walk(child)

        walk(tree.get("ABIRoot", tree))
        found.append(classes)
    old, new = found
    return [
        f"Class {name} has another superclass" for name in sorted(old.keys() & new.keys())
        if old[name] != new[name]]


def c_names(path):
    """The C functions of an interface, but for the one that names the contract."""
    with open(path) as file:
        names = re.findall(r"@(?:_?c(?:decl)?|_silgen_name)\(\"?([A-Za-z0-9_]+)\"?\)", file.read())
    return {name for name in names if not name.startswith("appcore_contract_")}


def bodies(path):
    """The bodies that an interface has of functions that are compiled into plugins, by declaration."""
    with open(path) as file:
        lines = iter(file.read().split("\n"))
    found, scope = {}, ""
    for line in lines:
        if re.match(r"\s*[^/].*\b(struct|class|enum|extension|protocol) .*\{$", line):
            scope = line.strip()
        if not re.search(r"@inlinable |@_alwaysEmitIntoClient ", line) or "{" not in line:
            continue
        text, end = line, re.match(r"\s*", line)[0] + "}"
        while text.count("{") != text.count("}"):
            following = next(lines)
            text += "\n" + following
            if following == end:
                break
        declaration, body = text.split("{", 1)
        found[scope, declaration.strip()] = " ".join(body.split())
    return found


def is_same_private_name(line):
    """Whether only the name of a file differs, of which the names of private properties hold a digest:
    an interface does not know it."""
    found = re.search(r"has mangled name changing from '(.*)' to '(.*)'$", line)
    return found is not None and len({re.sub(r" in _[0-9A-F]{32}", "", name) for name in found.groups()}) == 1


def interface(modules):
    """The public interface, without the options that differ between two builds of one source."""
    path = os.path.join(modules, "AppCore.swiftinterface")
    if not os.path.exists(path):
        fail(f"there is no '{path}'; type: make build", 66)
    with open(path) as file:
        lines = file.read().split("\n")
    return "\n".join(
        re.sub(r" (-Onone|-O|-enable-testing|-target \S+)(?= |$)", "", line)
        if line.startswith("// swift-module-flags") else line
        for line in lines)


def host_prefixes(modules, work):
    """The beginnings of the mangled names of what only hosts may use."""
    path = os.path.join(work, "host.json")
    dump(modules, path, os.path.join(work, "cache"), abi=True)
    with open(path) as file:
        tree = json.load(file)
    found = set()

    def walk(node):
        name = node.get("mangledName")
        if "Host" in node.get("spi_group_names", []) and name:
            found.add(beginning(node, name))
            return
        for child in node.get("children", []) + node.get("accessors", []):
            walk(child)

    walk(tree.get("ABIRoot", tree))
    prefixes = sorted(found)
    # The list is searched for the last that sorts before a symbol.
    for first, second in zip(prefixes, prefixes[1:]):
        if second.startswith(first):
            fail(f"'{first}' and '{second}' can't be told apart")
    return prefixes


def beginning(node, name):
    """What the symbols of a declaration begin with: those of a property's accessors, of an
    initializer's two forms and of a protocol's descriptors end in other letters than its name."""
    endings = {
        "Var": r"pZ?$", "Subscript": r"pZ?$", "Constructor": r"[cC]$", "Protocol": r"P$"}
    return re.sub(endings.get(node.get("declKind"), r"$^"), "", name)


def require_symbols(prefixes, modules):
    """Fails where the library has no symbol with one of the beginnings: it would find nothing."""
    build, name = os.path.split(os.path.abspath(modules))
    if name != "Modules":
        return
    library = os.path.join(build, "libAppCore.so")
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-1] for line in listing.splitlines()]
    for prefix in prefixes:
        if not any(symbol.startswith(prefix) for symbol in symbols):
            fail(f"no symbol of the library begins with '{prefix}'")


def host_list(modules, work):
    prefixes = host_prefixes(modules, work)
    require_symbols(prefixes, modules)
    lines = "\n".join(f'    "{prefix}",' for prefix in prefixes)
    return f"""// Written by `scripts/api.py list` from the SDK's module.
extension HostOnlySymbols {{
  /// The beginnings of the mangled names of what is `@_spi(Host)` in the SDK, in the order of bytes.
  static let prefixes: [StaticString] = [
{lines}
  ]
}}
"""


def releases(api, epoch):
    """The recorded releases of an epoch: their versions with their files."""
    folder = os.path.join(api, f"epoch-{epoch}")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [(name.removesuffix(".swiftinterface"), os.path.join(folder, name)) for name in names]


def record(api, modules, work):
    version = declared("version")
    text = interface(modules)
    if f'"appcore.sdk.version={version}"' not in text:
        fail(f"the build is of another version than {version}; type: make build", 65)
    folder = os.path.join(api, f"epoch-{declared('epoch')}")
    path = os.path.join(folder, f"{version}.swiftinterface")
    if os.path.exists(path):
        fail(f"{os.path.relpath(path, ROOT)} is there: a release is recorded once", 65)
    if releases(api, declared("epoch")):
        check(api, modules, work)
    os.makedirs(folder, exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    print(f"recorded {os.path.relpath(path, ROOT)}")


def write_list(api, modules, work):
    text = host_list(modules, work)
    with open(HOST_LIST, "w") as file:
        file.write(text)
    print(f"wrote {os.path.relpath(HOST_LIST, ROOT)}")


def check(api, modules, work):
    epoch = declared("epoch")
    found = releases(api, epoch)
    broken = 0
    for version, path in found:
        old = os.path.join(work, version)
        os.makedirs(old)
        os.symlink(path, os.path.join(old, "AppCore.swiftinterface"))
        messages = {}
        for abi in [True, False]:
            for line in breaks(old, modules, work, abi):
                messages.setdefault(line, abi)
        current = os.path.join(modules, "AppCore.swiftinterface")
        for name in sorted(c_names(path) - c_names(current)):
            messages[f"Func {name}() has another name in C, or is gone"] = True
        now = bodies(current)
        for place, body in bodies(path).items():
            if now.get(place, body) != body:
                print(f"api: since {version}, plugins have another body of: {place[1]}")
        for line in messages:
            print(f"api: since {version}: {line}", file=sys.stderr)
        broken += len(messages)
    with open(HOST_LIST) as file:
        is_listed = file.read() == host_list(modules, work)
    if not is_listed:
        print("api: the list of what only hosts may use differs; type: scripts/api.py list",
              file=sys.stderr)
    if broken:
        print(
            f"api: {broken} declarations that plugins of epoch {epoch} may use have changed. Leave "
            "them as they were, and add another beside them; or begin a new epoch, with its reason "
            "in docs/versions.md.", file=sys.stderr)
    if broken or not is_listed:
        sys.exit(65)
    if not found:
        print(f"api: epoch {epoch} has no release yet, and promises nothing")
        return
    versions = ", ".join(version for version, _ in found)
    print(f"api: plugins built against {versions} still find what they use")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("action", choices=["check", "list", "record"])
    parser.add_argument("--modules", default=os.path.join(ROOT, ".build/debug/Modules"))
    parser.add_argument("--api", default=os.path.join(ROOT, "api"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        actions = {"check": check, "list": write_list, "record": record}
        actions[options.action](options.api, options.modules, work)


main()
