import Testing

@_spi(Host) @testable import AppCore

@Suite("Cases of actions")
struct ActionCasesTests {
  private enum Inner: Sendable {
    case tapped
    case typed(String)
    indirect case deep(Inner, [Int])
  }
  private enum Outer<Value: Sendable>: Sendable {
    case view(Inner)
    indirect case boxed(Inner)
    case optional(Inner?)
    case labelled(at: Int, inner: Inner)
    case value(Value)
    case never(Never)
    case bare
  }
  private struct Plain: Sendable {}

  private func name<Action: Sendable>(_ action: Action) -> String? {
    let cases = ActionCases(Action.self)
    let number = cases.number(of: AnyAction(box: ActionBoxOf(action)))
    return number.map { cases.names[$0] }
  }

  @Test("A case that carries an enum alone counts as that enum's cases")
  func names() {
    #expect(
      ActionCases(Outer<String>.self).names == [
        // Those with a payload first, as the compiler numbers them.
        "view.typed", "view.deep", "view.tapped", "boxed.typed", "boxed.deep", "boxed.tapped",
        "optional", "labelled", "value", "never", "bare",
      ])
    #expect(ActionCases(Plain.self).names == ["action"])
  }

  @Test("The case of an action is found, whatever it carries")
  func numbers() {
    let actions: [(action: Outer<String>, name: String)] = [
      (.view(.tapped), "view.tapped"), (.view(.typed("a")), "view.typed"),
      (.view(.deep(.tapped, [1])), "view.deep"),
      (.boxed(.typed("a long text that is on the heap")), "boxed.typed"),
      (.boxed(.deep(.tapped, [])), "boxed.deep"), (.optional(.tapped), "optional"),
      (.labelled(at: 1, inner: .tapped), "labelled"), (.value("a"), "value"), (.bare, "bare"),
    ]
    #expect(actions.map { self.name($0.action) } == actions.map(\.name))
    // A payload's type may be an argument of its enum.
    #expect(name(Outer<Inner>.value(.typed("a"))) == "value.typed")
    #expect(name(Plain()) == "action")
  }

  @Test("The payload of an action stays as it is, and is released")
  func payloads() {
    final class Payload: Sendable {}
    enum Held: Sendable {
      case none
      case some(Payload, [Int])
    }
    enum Action: Sendable {
      case held(Held)
      case other
    }
    weak var released: Payload?
    do {
      let payload = Payload()
      released = payload
      let action = AnyAction(box: ActionBoxOf(Action.held(.some(payload, [1]))))
      let cases = ActionCases(of: action)
      for _ in 0..<3 { #expect(cases.number(of: action).map { cases.names[$0] } == "held.some") }
      guard case .held(.some(let held, let numbers)) = action.typed(Action.self) else {
        #expect(Bool(false), "the action is another one")
        return
      }
      #expect(held === payload && numbers == [1])
    }
    #expect(released == nil)
  }

  @Test("An action of another type has no case here")
  func foreign() {
    let cases = ActionCases(Outer<String>.self)
    #expect(cases.number(of: AnyAction(box: ActionBoxOf(Plain()))) == nil)
    #expect(cases.number(of: AnyAction(box: ActionBoxOf(Outer<Int>.bare))) == nil)
  }
}
