#!/usr/bin/env python3
"""Writes Sources/Benchmarks/Levels.swift and Siblings.swift: reducers nested 20 deep, and 200 wide.

They are written out, not made of generics, because that is how an app has them, and because it is
they whose compilation is timed.
"""
import pathlib

DEPTH = 20
WIDTHS = [1, 10, 100, 200]
folder = pathlib.Path(__file__).parent / "Sources/Benchmarks"

HEAD = [
    "import AppCore",
    "",
    "// Made by generate-levels.py. The file stands here and is not made by the build: `swift build` alone",
    "// builds the benchmarks from a clean clone, and generics would not do, because apps write such types",
    "// out one by one.",
]

levels = list(HEAD)
for level in range(DEPTH + 1):
    child = f"Level{level - 1}"
    levels += [
        "",
        f"/// A counter under {level} scopes." if level == 0 else f"/// A counter with `{child}` inside.",
        f"struct Level{level}: Reducer {{",
        "  struct State {",
        "    var count = 0",
    ]
    if level:
        levels.append(f"    var child = {child}.State()")
    levels += ["  }", "", "  enum Action: ComponentAction {", "    case add", "    case set(Int)"]
    if level:
        levels.append(f"    case child({child}.Action)")
    levels += [
        "  }",
        "",
        "  var body: some Reducer<State, Action> {",
        "    Reduce { state, action in",
        "      switch action {",
        "      case .add: state.count += 1",
        "      case .set(let count): state.count = count",
    ]
    if level:
        levels.insert(len(levels), "      case .child: break")
    levels += ["      }", "      return .none", "    }"]
    if level:
        levels.append(f"    Scope(state: \\.child, action: /Action.child) {{ {child}() }}")
    levels += ["  }", "}"]
(folder / "Levels.swift").write_text("\n".join(levels) + "\n")

siblings = list(HEAD)
for width in WIDTHS:
    siblings += [
        "",
        f"/// {width} counters side by side.",
        f"struct Siblings{width}: Reducer {{",
        "  struct State {",
    ]
    siblings += [f"    var child{index} = 0" for index in range(width)]
    siblings += ["  }", "", "  enum Action: ComponentAction {"]
    siblings += [f"    case child{index}(RootCounter.Action)" for index in range(width)]
    siblings += ["  }", "", "  var body: some Reducer<State, Action> {"]
    siblings += [
        f"    Scope(state: \\.child{index}, action: /Action.child{index}) {{ RootCounter() }}"
        for index in range(width)
    ]
    siblings += ["  }", "}"]
(folder / "Siblings.swift").write_text("\n".join(siblings) + "\n")
