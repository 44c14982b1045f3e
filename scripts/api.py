#!/usr/bin/env python3
"""Holds the SDK to what it has promised to plugins; see docs/versions.md.

  scripts/api.py check    what of the recorded releases of this epoch the build breaks
  scripts/api.py record   writes the interface of the SDK's version to api/, and the list of what
                          only hosts may use

Both look at the modules of `swift build`; --modules FOLDER names others.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
API = os.path.join(ROOT, "api")
SDK = os.path.join(ROOT, "Sources/SDK/AppCore/SDK.swift")
HOST_LIST = os.path.join(ROOT, "Sources/PluginHost/Validation/HostInterface+Prefixes.swift")


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
    # Headings stand in comments. A new declaration needs no '@available': where a host lacks it, the
    # host says so, and which release has it.
    return [
        line for line in lines
        if line and not line.startswith("/*") and "is a new API without '@available'" not in line
        and not is_same_private_name(line)]


def is_same_private_name(line):
    """Whether only the name of a file differs, of which the names of private properties hold a digest:
    an interface does not know it."""
    found = re.search(r"has mangled name changing from '(.*)' to '(.*)'$", line)
    return found is not None and len({re.sub(r" in _[0-9A-F]{32}", "", name) for name in found.groups()}) == 1


def interface(modules):
    """The public interface, without the lines that differ between two builds of one source."""
    path = os.path.join(modules, "AppCore.swiftinterface")
    if not os.path.exists(path):
        fail(f"there is no '{path}'; type: make build", 66)
    with open(path) as file:
        lines = file.read().split("\n")
    return "\n".join(
        re.sub(r" (-Onone|-O|-enable-testing|-module-link-name \S+)(?= |$)", "", line)
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
            # A variable's accessors have its name with other letters at the end.
            is_variable = node.get("declKind") == "Var" and name.endswith("vp")
            found.add(name[:-1] if is_variable else name)
            return
        for child in node.get("children", []) + node.get("accessors", []):
            walk(child)

    walk(tree.get("ABIRoot", tree))
    prefixes = sorted(found)
    # Two accessors, of which the beginning of one would be found in its place.
    for first, second in zip(prefixes, prefixes[1:]):
        if second.startswith(first):
            fail(f"'{first}' and '{second}' can't be told apart")
    return prefixes


def host_list(modules, work):
    lines = "\n".join(f'    "{prefix}",' for prefix in host_prefixes(modules, work))
    return f"""// Written by `scripts/api.py record` from the SDK's module.
extension HostInterface {{
  /// The beginnings of the mangled names of what is `@_spi(Host)` in the SDK, in the order of bytes.
  static let prefixes: [StaticString] = [
{lines}
  ]
}}
"""


def releases(epoch):
    """The recorded releases of an epoch: their versions with their files."""
    folder = os.path.join(API, f"epoch-{epoch}")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [(name.removesuffix(".swiftinterface"), os.path.join(folder, name)) for name in names]


def record(modules, work):
    folder = os.path.join(API, f"epoch-{declared('epoch')}")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{declared('version')}.swiftinterface")
    with open(path, "w") as file:
        file.write(interface(modules))
    with open(HOST_LIST, "w") as file:
        file.write(host_list(modules, work))
    print(f"recorded {os.path.relpath(path, ROOT)} and {os.path.relpath(HOST_LIST, ROOT)}")


def check(modules, work):
    epoch = declared("epoch")
    found = releases(epoch)
    if not found:
        fail(f"api/ has no release of epoch {epoch}; type: scripts/api.py record", 65)
    broken = 0
    for version, path in found:
        old = os.path.join(work, version)
        os.makedirs(old)
        os.symlink(path, os.path.join(old, "AppCore.swiftinterface"))
        messages = {}
        for abi in [True, False]:
            for line in breaks(old, modules, work, abi):
                messages.setdefault(line, abi)
        for line in messages:
            print(f"api: since {version}: {line}", file=sys.stderr)
        broken += len(messages)
    with open(HOST_LIST) as file:
        is_listed = file.read() == host_list(modules, work)
    if not is_listed:
        print("api: the list of what only hosts may use differs; type: scripts/api.py record",
              file=sys.stderr)
    if broken:
        print(
            f"api: {broken} declarations that plugins of epoch {epoch} may use have changed. Leave "
            "them as they were, and add another beside them; or begin a new epoch, with its reason "
            "in docs/versions.md.", file=sys.stderr)
    if broken or not is_listed:
        sys.exit(65)
    versions = ", ".join(version for version, _ in found)
    print(f"api: plugins built against {versions} still find what they use")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("action", choices=["check", "record"])
    parser.add_argument("--modules", default=os.path.join(ROOT, ".build/debug/Modules"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        {"check": check, "record": record}[options.action](options.modules, work)


main()
