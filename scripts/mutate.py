#!/usr/bin/env python3
"""Shows whether the tests notice changes of the code: mutation testing with a seed.

Copies a revision to FOLDER, changes it in COUNT places that SEED draws, in each module as many as its
share of the code, and builds all of them at once. Then it runs each suite without any of them, to see
which of the changed places it comes to, and with one after another those that come to it, the
shortest first, until something fails. The changes are

  condition   a condition of 'if', 'guard' or 'while' is its opposite
  statement   a call or an assignment is left out
  one         '+ 1' or '- 1' adds nothing

Prints a line for each, and how many were noticed; status 1 if those are fewer than --at-least.

    scripts/mutate.py --seed 1 --count 60 /tmp/mutants
"""
import argparse, os, random, re, signal, subprocess, sys, time

HELPER = """import Glibc

/// The change that is on: the number in a file, so that processes with an environment of their own
/// have it too.
private let activeMutant: Int = {
  guard let file = fopen("%(folder)s/active", "r") else { return 0 }
  defer { fclose(file) }
  var digits = [CChar](repeating: 0, count: 16)
  return fgets(&digits, 16, file) == nil ? 0 : Int(atoi(digits))
}()

/// Whether a place has not been noted yet; `nil` unless places are to be noted.
nonisolated(unsafe) private let isNew: UnsafeMutablePointer<Bool>? = {
  guard access("%(folder)s/noting", F_OK) == 0 else { return nil }
  let places = UnsafeMutablePointer<Bool>.allocate(capacity: %(limit)d)
  places.initialize(repeating: true, count: %(limit)d)
  return places
}()

private func note(_ number: Int, in isNew: UnsafeMutablePointer<Bool>) {
  guard isNew[number] else { return }
  isNew[number] = false
  let file = open("%(folder)s/reached", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
  guard file >= 0 else { return }
  var line = Array("\\(number)\\n".utf8)
  write(file, &line, line.count)
  close(file)
}

func isMutated(_ number: Int) -> Bool {
  if let isNew { note(number, in: isNew) }
  return activeMutant == number
}

func mutated(_ number: Int, _ condition: Bool) -> Bool { condition != isMutated(number) }

func mutatedOne<Number: ExpressibleByIntegerLiteral>(_ number: Int) -> Number {
  isMutated(number) ? 0 : 1
}
"""

CONDITION = re.compile(r"^(\s+(?:\} else )?(?:if|while|guard) )([^{},#]+?)( else \{.*| \{.*)$")
STATEMENT = re.compile(r"^\s{4,}[a-z]\w*(?:\.\w+|\[[^\[\]]*\])*(?:\([^{}]*\)| [-+]?= [^{}]+)$")
ONE = re.compile(r"^(\s+.*[\w)\]] [-+]) 1\b(?![.\d])(.*)$")
NOT_IN_CONDITION = re.compile(r"\b(let|var|case|try|await|is|as)\b|\"")
NOT_STATEMENT = re.compile(r"^\s+(self\.\w+ = |return|let|var|try|await|case|super|precondition|fatalError|yield)\b|->")


def candidates(module, root):
    """Every place of a module that can be changed: (file, line number, kind, new line)."""
    found = []
    for folder, folders, names in os.walk(os.path.join(root, "Sources", module)):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(n for n in names if n.endswith(".swift") and n != "Package.swift"):
            path = os.path.join(folder, name)
            lines = open(path).read().split("\n")
            isInlined = False
            for index, line in enumerate(lines):
                if re.match(r"^  ?\s?\S", line) and not line.strip().startswith("//"):
                    isInlined = False if re.match(r"^\s{0,2}\}", line) else isInlined
                if "@inlinable" in line or "@_alwaysEmitIntoClient" in line or '"""' in line:
                    isInlined = True
                if isInlined or line.strip().startswith("//"):
                    continue
                match = CONDITION.match(line)
                if match and not NOT_IN_CONDITION.search(match[2]) and balanced(match[2]):
                    found.append((path, index, "condition", f"{match[1]}mutated(NUMBER, {match[2]}){match[3]}"))
                    continue
                before = lines[index - 1].rstrip() if index else ""
                after = lines[index + 1].strip() if index + 1 < len(lines) else ""
                if (STATEMENT.match(line) and not NOT_STATEMENT.search(line) and balanced(line)
                        and re.search(r"[{};]$|[\w)\]]$", before) and not re.search(r"[,(=:?&|+]$|\breturn$|\bin$", before)
                        and not after.startswith((".", "?", ":", "&&", "||", "+", "}")) and not before.rstrip().endswith("{")):
                    found.append((path, index, "statement", f"if !isMutated(NUMBER) {{ {line.strip()} }}"))
                    continue
                match = ONE.match(line)
                if match and "case " not in line and '"' not in line:
                    found.append((path, index, "one", f"{match[1]} mutatedOne(NUMBER){match[2]}"))
    return found


def balanced(text):
    depth = 0
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if depth < 0:
            return False
    return depth == 0


def draw(root, seed, count):
    """The places of each module in an order that the seed decides, and how many to take of each."""
    places = {m: candidates(m, root) for m in sorted(os.listdir(os.path.join(root, "Sources")))}
    modules = [module for module in places if places[module]]
    code = {module: lines_of(os.path.join(root, "Sources", module)) for module in modules}
    for module in modules:
        random.Random(f"{seed} {module}").shuffle(places[module])
    total = sum(code.values())
    share = {module: int(count * code[module] / total) for module in modules}
    rest = sorted(modules, key=lambda m: share[m] - count * code[m] / total)
    for module in rest[: count - sum(share.values())]:
        share[module] += 1
    return places, share


def lines_of(folder):
    return sum(
        len([l for l in open(os.path.join(f, n)) if l.strip() and not l.strip().startswith("//")])
        for f, _, names in os.walk(folder) if "/.build" not in f for n in names if n.endswith(".swift"))


class Mutants:
    def __init__(self, root, seed, count):
        self.root = root
        self.state = os.path.join(root, ".mutants")
        self.places, self.share = draw(root, seed, count)
        self.taken = {}  # number: (module, path, line, kind, new line)
        self.original = {}
        self.used = set()
        for module, share in self.share.items():
            for _ in range(share):
                self.take(module)

    def take(self, module):
        while self.places[module]:
            path, index, kind, text = self.places[module].pop(0)
            if (path, index) not in self.used:
                self.used.add((path, index))
                self.taken[max(self.taken, default=0) + 1] = (module, path, index, kind, text)
                return

    def write(self):
        for path in {place[1] for place in self.taken.values()} | set(self.original):
            lines = self.original.setdefault(path, open(path).read()).split("\n")
            for number, (_, place, index, _, text) in self.taken.items():
                if place == path:
                    lines[index] = text.replace("NUMBER", str(number))
            open(path, "w").write("\n".join(lines))

    def build(self):
        """Builds; what does not compile gives its place to the next of its module."""
        os.makedirs(self.state)
        for module in self.share:
            folder = {"SDK": "SDK/AppCore", "SDKTesting": "SDKTesting/AppCoreTesting"}.get(module, module)
            text = HELPER % {"folder": self.state, "limit": 1_000_000}
            open(os.path.join(self.root, "Sources", folder, "Mutated.swift"), "w").write(text)
        for _ in range(8):
            self.write()
            built = subprocess.run(
                ["swift", "build", "--build-tests"], cwd=self.root, capture_output=True, text=True)
            if built.returncode == 0:
                return
            broken = set()
            for path, line in re.findall(r"(/\S+\.swift):(\d+):\d+: error", built.stdout + built.stderr):
                near = [n for n, p in self.taken.items() if p[1] == path]
                broken |= {n for n in near if p_distance(self.taken[n][2], int(line) - 1) <= 1} or set(near)
            if not broken:
                sys.exit("mutate.py: the tree does not build\n" + built.stdout[-3000:])
            for number in broken:
                module = self.taken.pop(number)[0]
                self.take(module)
        sys.exit("mutate.py: too many changes do not compile")


def p_distance(one, other):
    return abs(one - other)


def bundle(root):
    folder = os.path.join(root, ".build/debug")
    return next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".xctest"))


def suites(root):
    """The identifiers of the suites, and of the tests without one."""
    listed = subprocess.run(
        [bundle(root), "--list-tests", "--testing-library", "swift-testing"], cwd=root,
        capture_output=True, text=True, check=True).stdout
    names = {re.split(r"/|\(\)$", line)[0] for line in listed.split("\n") if re.match(r"\w+\.", line)}
    return sorted(names)


def run(root, names, seconds):
    """The first failure that suites report; None if they pass."""
    environment = dict(os.environ, SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="4")
    pattern = "|".join(map(re.escape, names))
    tests = subprocess.Popen(
        [bundle(root), "--testing-library", "swift-testing", "--filter", f"^({pattern})(/|\()"],
        cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(tests.pid, signal.SIGKILL))
    signal.alarm(seconds)
    began = time.time()
    failure = None
    try:
        for line in tests.stdout:
            match = re.search(r"✘.* Test (.+?) recorded an issue|Fatal error: (.*)", line)
            if match and "known issue" not in line:
                failure = match[1] or match[2]
                break
    finally:
        signal.alarm(0)
        try:
            os.killpg(tests.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = tests.wait()
    if failure:
        return failure
    if time.time() - began >= seconds:
        return f"the tests did not end within {seconds} s"
    return None if status == 0 or status == -signal.SIGKILL else f"the tests ended with {status}"


def reach(mutants):
    """Which suites come to which places: for each number, the suites with their times."""
    reached = {number: [] for number in mutants.taken}
    noting, places = (os.path.join(mutants.state, name) for name in ("noting", "reached"))
    open(noting, "w").close()
    for suite in suites(mutants.root):
        began = time.time()
        failure = run(mutants.root, [suite], 900)
        took = time.time() - began
        numbers = {int(n) for n in open(places).read().split()} if os.path.exists(places) else set()
        if numbers:
            os.remove(places)
        if failure:
            print(f"left out, since it fails without a change: {suite}: {failure}", flush=True)
            continue
        for number in numbers & set(reached):
            reached[number].append((took, suite))
    os.remove(noting)
    return reached


def try_out(mutants, found):
    """The first failure of the suites that come to a place: of the shortest, and then of the others."""
    first, others, total = [], [], 0
    for took, suite in sorted(found):
        total += took
        (first if total < 20 or not first else others).append(suite)
    for batch in filter(None, (first, others)):
        if failure := run(mutants.root, batch, 1500):
            return failure
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--at-least", type=int, default=0)
    parser.add_argument("--revision", default="HEAD", help="the commit to change")
    options = parser.parse_args()
    root = os.path.realpath(options.folder)
    if os.path.exists(root):
        sys.exit(f"mutate.py: there is a folder {root!r}; name one that is not there")
    here = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    subprocess.run(["git", "clone", "-q", "--no-checkout", here, root], check=True)
    subprocess.run(["git", "checkout", "-q", options.revision], cwd=root, check=True)
    mutants = Mutants(root, options.seed, options.count)
    mutants.build()
    reached = reach(mutants)
    active = os.path.join(mutants.state, "active")
    noticed = 0
    for number, (module, path, index, kind, _) in sorted(mutants.taken.items()):
        open(active, "w").write(str(number))
        began = time.time()
        failure = try_out(mutants, reached[number])
        noticed += failure is not None
        place = f"{os.path.relpath(path, root)}:{index + 1}"
        told = failure or ("NOT NOTICED" if reached[number] else "NOT REACHED")
        print(f"{number:3} {kind:9} {place:70} {time.time() - began:5.0f} s  {told}", flush=True)
    os.remove(active)
    print(f"{noticed} of {len(mutants.taken)} noticed, seed {options.seed}")
    sys.exit(0 if noticed >= options.at_least else 1)


main()
