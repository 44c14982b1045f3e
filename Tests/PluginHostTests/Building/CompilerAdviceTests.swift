import Foundation
import TestSupport
import Testing

@testable import PluginHost

/// What is added to errors of the real compiler.
@Suite("Advice on the compiler's errors")
struct CompilerAdviceTests {
  private static let item = """
    struct Item: Reducer {
      struct State: Codable, Equatable, Sendable { var name = "" }
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case saveTapped }
        enum Delegate: Codable, Sendable { case saved(String) }
        case view(View)
        case delegate(Delegate)
      }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    struct Page: Reducer {
      struct Destination: Destinations { let add = Case(Item()) }
      struct State { @Presented var destination: Destination.State? }
      enum Action: FeatureAction {
        case destination(PresentationAction<Destination.Action>)
      }

    """
  private static let match =
    "match '.presented(let action)', and then 'if case .delegate(.saved(let item)) = action.add'"

  /// Sources, with `§` at the error that is expected, and its advice; all in one line.
  static let cases: [(source: String, advice: String)] = [
    (
      item + """
          func reduce(into state: inout State, action: Action) -> Effect<Action> {
            state.destination = .§add(Item.State())
            return .none
          }
        }
        """, "write 'Page.Destination.State.add(…)'"
    ),
    (
      item + """
          func reduce(into state: inout State, action: Action) -> Effect<Action> {
            let other: Action = .destination(.presented(.§add(.view(.saveTapped))))
            return .none
          }
        }
        """, "write 'Page.Destination.Action.add(…)'"
    ),
    (
      item + """
          func reduce(into state: inout State, action: Action) -> Effect<Action> {
            switch action {
            case .destination(.presented(.§add(.delegate(.saved(let name))))): return .none
            default: return .none
            }
          }
        }
        """, match
    ),
    (
      item + """
          var body: some ReducerOf<Self> {
            Reduce { state, action in
              switch action {
              case .destination(.presented(.§add(.delegate(.saved(let name))))):
                state.destination = Destination.State.add(Item.State(name: name))
              case .destination: break
              }
              return .none
            }
          }
        }
        """, match
    ),
    (
      """
      enum §Action: FeatureAction {
        enum View: Codable, Sendable { case tapped }
        enum Internal: Sendable { case loaded }
        enum Input: Codable, Sendable { case renamed }
        case view(View)
      }
      """, "add 'case `internal`(Internal)' and 'case input(Input)' to 'Action'"
    ),
    (
      """
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case tapped }
        case view(View)
      }
      func reduce(_ action: Action) {
        switch action {
        case .input(.§renamed): break
        default: break
        }
      }
      """,
      "declare the kind: 'enum Input: Codable, Sendable { case renamed }' and 'case input(Input)'"
    ),
    ("func f() { §nothing() }", ""),
  ]

  @Test("The error that the compiler reports gets the advice, at its place", arguments: cases)
  func advice(source: String, expected: String) async throws {
    let lines = ("import AppCore\n" + source).split(
      separator: "\n", omittingEmptySubsequences: false)
    let number = try #require(lines.firstIndex { $0.contains("§") })
    let column = lines[number].prefix { $0 != "§" }.utf8.count + 1
    let text = lines.joined(separator: "\n").replacing("§", with: "")
    let folder = try TemporaryFolder()
    try folder.write("A.swift", text)
    let file = folder.path + "/A.swift"
    let compiler = try #require(Program.find("swiftc"), "there is no 'swiftc' on the search path")
    let output = try await Program.run(
      compiler,
      ["-typecheck", "-swift-version", "6", "-I", buildFolder.path + "/Modules", file],
      mergesErrors: true
    ).output
    let errors = CompilerErrors(in: output) { $0 == file ? text : nil }
    let advised = try #require(
      errors.lines.first { $0.hasPrefix("\(file):\(number + 1):\(column): ") }, "\(output)")
    #expect(
      expected.isEmpty ? errors.additions.isEmpty : advised.hasSuffix("; \(expected)"),
      "\(output)")
    #expect(CompilerErrors.crash(in: output) == nil)
  }
}
