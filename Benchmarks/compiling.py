#!/usr/bin/env python3
"""Measures how long it takes to compile a plugin of ten reducers, in debug form.

    Benchmarks/compiling.py [BUILD]

BUILD is the folder of a build, .build/debug unless given. Five features, each in a file of its own,
have a child with a form each, which is a row and an editor, an effect and two screens. Beside it a plugin without features, whose time is that
of the compiler's start, of reading the modules and of linking: processor time, the median of five.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else FOLDER + "/.build/debug")

FEATURE = """import AppCore

struct RowNUMBER: Reducer {
  struct State: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var text = ""
    var isDone = false
  }
  enum Action: FeatureAction {
    enum View: BindableAction { case binding(BindingAction<State>), removeTapped }
    enum Delegate: Codable, Sendable { case removed(Int) }
    case view(View)
    case delegate(Delegate)
  }
  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .view(.removeTapped): .send(.delegate(.removed(state.id)))
      case .view, .delegate: .none
      }
    }
  }
  func screen(_ state: State) -> Screen<Action> {
    Screen("Row") { screen in
      screen.form(state) { form in
        form.field("Text", \\.text)
        form.toggle("Done", \\.isDone)
      }
      screen.button("Remove", action: .removeTapped)
    }
  }
}

struct FeatureNUMBER: Feature {
  struct State: Codable, Equatable, Sendable {
    var rows: IdentifiedArrayOf<RowNUMBER.State> = []
    @Presented var editor: RowNUMBER.State?
    var loaded = 0
    var failure: String?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case addTapped, loadTapped, cancelTapped }
    enum Internal: Sendable { case loaded(Int), failed(String) }
    enum Delegate: Codable, Sendable { case closed(count: Int) }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case rows(IdentifiedActionOf<RowNUMBER>)
    case editor(PresentationAction<RowNUMBER.Action>)
  }
  private enum CancelID { case load }
  @Dependency(\\.clock) var clock

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.addTapped):
        state.rows.append(RowNUMBER.State(id: state.rows.count))
        return .none
      case .view(.loadTapped):
        state.failure = nil
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.internal(.loaded(NUMBER)))
        } catch: { error, send in
          await send(.internal(.failed("\\(error)")))
        }
        .cancellable(id: CancelID.load, cancelInFlight: true)
      case .view(.cancelTapped):
        return .merge(
          .cancel(id: CancelID.load), .send(.delegate(.closed(count: state.rows.count))))
      case .internal(.loaded(let number)):
        state.loaded += number
        return .none
      case .internal(.failed(let reason)):
        state.failure = reason
        return .none
      case .rows(.element(_, .delegate(.removed(let id)))):
        state.rows.remove(id: id)
        return .none
      case .rows, .editor, .delegate: return .none
      }
    }
    .forEach(\\.rows, action: /Action.rows) { RowNUMBER() }
    .ifLet(\\.$editor, action: /Action.editor) { RowNUMBER() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Feature NUMBER") { screen in
      if screen.embed(state.editor, /Action.editor, screen: RowNUMBER().screen) { return }
      screen.keyValues([KeyValue("Loaded", "\\(state.loaded)")])
      screen.list(state.rows) { Row($0.text) }
      screen.button("Add", id: "add", action: .addTapped)
      screen.button("Load", id: "load", action: .loadTapped)
      screen.button("Cancel", id: "cancel", action: .cancelTapped)
    }
  }
}
"""

PLUGIN = """import AppCore

struct Ten: Plugin {
  static let name = "Ten"
  static let version = "1.0.0"
  init(configuration: NoConfiguration) {}
  static func register(in registry: inout PluginRegistry<Self>) {
REGISTERED  }
}

@c(appcore_plugin_Ten)
public func ten() -> UnsafeMutableRawPointer { export(Ten.self) }
"""


def compile(folder, count):
    """The seconds of processor time that a plugin with so many features takes."""
    registered = "".join(
        f"    registry.feature(Feature{number}.self) {{ _ in Feature{number}() }}\n"
        for number in range(count))
    sources = {"Ten.swift": PLUGIN.replace("REGISTERED", registered)}
    for number in range(count):
        sources[f"Feature{number}.swift"] = FEATURE.replace("NUMBER", str(number))
    for name, text in sources.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["swiftc", "-swift-version", "6", "-Onone", "-wmo", "-emit-library", "-module-name", "Ten",
         *sources, "-o", "libTen.so", "-I", f"{BUILD}/Modules", "-L", BUILD, "-lAppCore"],
        cwd=folder, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as folder:
    medians = {}
    for count in (0, 5):
        compile(folder, count)
        medians[count] = statistics.median(compile(folder, count) for _ in range(5))
print("| row | s |\n| --- | ---: |")
print(f"| a plugin of ten reducers | {medians[5]:.2f} |")
print(f"| a plugin without features | {medians[0]:.2f} |")
