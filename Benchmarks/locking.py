#!/usr/bin/env python3
"""Measures what a lock costs: starts of an app of 200 plugins with and without one, and signatures.

    swift build -c release
    Benchmarks/locking.py [--quick] [--build FOLDER]

Starts with and without a lock take turns; what counts is the median of the differences, in wall-clock
and in processor time. Signatures are measured where a mount namespace is allowed."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUICK = "--quick" in sys.argv
BUILD = os.path.join(ROOT, ".build/release")
if "--build" in sys.argv:
    BUILD = os.path.abspath(sys.argv[sys.argv.index("--build") + 1])
APPCORE = os.path.join(BUILD, "appcore")
COUNT = 200
TURNS = 21 if QUICK else 101

SOURCE = """import AppCore

@_silgen_name("own_name") func ownName() -> UnsafePointer<CChar>

struct Page: Feature {
  struct State: Codable, Sendable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case tapped }
    case view(View)
  }
  func initialState(_ arguments: NoArguments) -> State { State() }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  func screen(_ state: State) -> Screen<Action> { Screen("Page") { _ in } }
}

struct BenchPlugin: Plugin {
  static let name = String(cString: ownName())
  static let version = "1.0.0"
  init(configuration: NoConfiguration) {}
  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Page.self) { _ in Page() }
  }
}

@c(bench_entry)
public func entry() -> UnsafeMutableRawPointer { export(BenchPlugin.self) }
"""


def make(folder):
    """An app of plugins that differ in their names alone."""
    with open(os.path.join(folder, "Bench.swift"), "w") as file:
        file.write(SOURCE)
    compiled = os.path.join(folder, "Bench.o")
    subprocess.run(
        ["swiftc", "-O", "-parse-as-library", "-c", "-module-name", "Bench", "Bench.swift",
         "-o", compiled, "-I", os.path.join(BUILD, "Modules")], cwd=folder, check=True)
    os.mkdir(os.path.join(folder, "app"))
    names = ["P%03d" % number for number in range(COUNT)]
    for name in names:
        with open(os.path.join(folder, "own.c"), "w") as file:
            file.write(
                'extern void *bench_entry(void); const char *own_name(void) { return "%s"; }\n'
                'void *appcore_plugin_%s(void) { return bench_entry(); }\n' % (name, name))
        subprocess.run(["cc", "-fPIC", "-c", "own.c", "-o", "own.o"], cwd=folder, check=True)
        subprocess.run(
            ["swiftc", "-emit-library", compiled, "own.o", "-o", "app/lib%s.so" % name, "-L", BUILD,
             "-lAppCore"], cwd=folder, check=True)
    with open(os.path.join(folder, "app/app.yaml"), "w") as file:
        file.write("appcore: 1\nname: bench\nstart: p000\nplugins:\n")
        for name in names:
            file.write("  - { path: lib%s.so }\n" % name)
        file.write("nodes:\n")
        for name in names:
            file.write("  %s: { feature: %s.Page }\n" % (name.lower(), name))
        file.write("links:\n")
        for name in names:
            file.write("  - { path: %s, open: [%s] }\n" % (name.lower(), name.lower()))
    return os.path.join(folder, "app/app.yaml")


def processor_time():
    """What all processes that have ended took, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def start(manifest, environment, *options):
    """How long a start with one line takes, in milliseconds of both kinds."""
    begin, used = time.monotonic(), processor_time()
    subprocess.run(
        [APPCORE, "run", manifest, "-c", ":path", *options], check=True, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return (time.monotonic() - begin) * 1000, (processor_time() - used) * 1000


def compare(manifest, environment, *options):
    """The median start without and with a lock, and of the difference, of both kinds."""
    lock = os.path.join(os.path.dirname(manifest), "appcore.lock")
    plain, locked = [], []
    for _ in range(TURNS):
        os.rename(lock, lock + ".kept")
        plain.append(start(manifest, environment))
        os.rename(lock + ".kept", lock)
        locked.append(start(manifest, environment, *options))
    return [
        (statistics.median(one[kind] for one in plain), statistics.median(one[kind] for one in locked),
         statistics.median(after[kind] - before[kind] for before, after in zip(plain, locked)))
        for kind in range(2)]


def signed(manifest, environment, folder):
    """What verifying adds to a start, the first time and when it is known, in milliseconds."""
    policy = os.path.join(folder, "policy")
    os.mkdir(policy, 0o755)
    key = os.path.join(folder, "key")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    subprocess.run([APPCORE, "sign", manifest, "--key", key], check=True, stderr=subprocess.DEVNULL)
    with open(key + ".pub") as public, open(os.path.join(policy, "allowed_signers"), "w") as file:
        file.write("bench " + public.read())
    with open(os.path.join(policy, "policy.yaml"), "w") as file:
        file.write("signatures: require\n")
    # Timed inside of the namespace: making it takes longer than what is measured.
    script = os.path.join(folder, "timed.py")
    with open(script, "w") as file:
        file.write(
            "import shutil, statistics, subprocess, sys, time\n"
            "cache, turns = sys.argv[1], int(sys.argv[2])\n"
            "def run(*options):\n"
            "  begin = time.monotonic()\n"
            "  subprocess.run(sys.argv[3:] + list(options), check=True, stdout=subprocess.DEVNULL)\n"
            "  return (time.monotonic() - begin) * 1000\n"
            "first, known = [], []\n"
            "for _ in range(turns):\n"
            "  shutil.rmtree(cache + '/appcore/signatures', ignore_errors=True)\n"
            "  first.append(run())\n"
            "  known.append(run())\n"
            "print(statistics.median(first), statistics.median(known))\n")
    result = subprocess.run(
        [os.path.join(ROOT, "scripts/with-policy.sh"), policy, sys.executable, script,
         environment["XDG_CACHE_HOME"], str(TURNS), APPCORE, "run", manifest, "-c", ":path"],
        env=environment, stdout=subprocess.PIPE, text=True)
    if result.returncode == 77:
        return None
    return [float(word) for word in result.stdout.split()]


def main():
    folder = tempfile.mkdtemp(prefix="appcore-locking-")
    try:
        manifest = make(folder)
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
        # Files that were written just now are not known by their times alone.
        time.sleep(2.5)
        start(manifest, environment)
        begin = time.monotonic()
        subprocess.run([APPCORE, "lock", manifest], check=True, env=environment)
        print("locking %d plugins: %.0f ms" % (COUNT, (time.monotonic() - begin) * 1000))
        time.sleep(2.5)
        start(manifest, environment)
        for options in [(), ("--locked",)]:
            kinds = ["wall-clock", "processor"]
            for kind, figures in zip(kinds, compare(manifest, environment, *options)):
                plain, locked, difference = figures
                print("start of %d plugins, %s time: %.2f ms; with a lock%s: %.2f ms; median "
                      "difference %.2f ms"
                      % (COUNT, kind, plain, " and --locked" if options else "", locked, difference))
        known = signed(manifest, environment, folder)
        if known is None:
            print("signatures: this system allows no mount namespaces")
        else:
            print("start with a signature that is required: %.2f ms, known %.2f ms; verifying %.2f ms"
                  % (known[0], known[1], known[0] - known[1]))
    finally:
        shutil.rmtree(folder)


main()
