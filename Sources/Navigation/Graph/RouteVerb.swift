public import AppCore

public enum RouteVerb: Sendable {
  case push(Target, singleTop: Bool, IfCovered)
  case present(Target, IfCovered)
  case replace(Target, IfCovered)
  case select(node: Int, IfCovered)
  case back
  case dismiss
  /// Ends the app, as `:quit` does.
  case quit
  case popTo(PopTarget, inclusive: Bool)
  case reset(Target)
  /// `others` are the arguments for features whose input has another type than that of the first
  /// receiver, by feature.
  case notify(
    Receiver, input: String, ArgumentTemplate, others: [String: ArgumentTemplate] = [:])
  case ignore

  /// The keyword in manifests.
  public var word: String {
    switch self {
    case .push: "push"
    case .present: "present"
    case .replace: "replace"
    case .select: "select"
    case .back: "back"
    case .dismiss: "dismiss"
    case .quit: "quit"
    case .popTo: "popTo"
    case .reset: "reset"
    case .notify: "notify"
    case .ignore: "ignore"
    }
  }
}

/// The behavior of an entering verb if its emitter is not in front.
public enum IfCovered: Sendable {
  /// The step is rejected with the code `not-current`.
  case refuse
  /// Everything that covers the emitter is removed first.
  case cut
  /// The verb acts on the current instance.
  case over
}

public enum PopTarget: Sendable {
  /// The nearest instance of the node, among the emitter and its ancestors.
  case node(Int)
  case root
}

/// The receiver of a notification.
public enum Receiver: Sendable {
  /// The instance that pushed or presented the emitter.
  case presenter
  /// The instance that the emitter's layer covers.
  case opener
  /// The current instance after the step.
  case current
  /// The nearest ancestor that is an instance of the node, else the instance presented last.
  case node(Int)
  /// Every living instance of the node, oldest first.
  case all(Int)
}

/// A `with`: values, and references into a route's payload.
public indirect enum ArgumentTemplate: Hashable, Sendable {
  case value(Value)
  /// A reference `$.a.b`; the path is empty for `$`.
  case payload([String])
  case text([Part])
  case array([ArgumentTemplate])
  case object([String: ArgumentTemplate])

  /// One part of a string.
  public enum Part: Hashable, Sendable {
    case text(String)
    case payload([String])
  }

  /// A template that supplies nothing.
  public static var empty: Self { .object([:]) }

  /// Resolves the references in a payload; those to missing fields become `null`.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the result.
  public func resolved(_ payload: Value) -> Value {
    switch self {
    case .value(let value): value
    case .payload(let path): payload.value(at: path)
    case .text(let parts):
      .string(
        parts.map { part in
          switch part {
          case .text(let text): text
          case .payload(let path): payload.value(at: path).insertedText
          }
        }.joined())
    case .array(let elements): .array(elements.map { $0.resolved(payload) })
    case .object(let fields): .object(fields.mapValues { $0.resolved(payload) })
    }
  }

  /// Resolves the template, and merges its fields over those of `base`, one level deep.
  ///
  /// A null field keeps that of `base`.
  public func resolved(_ payload: Value, over base: Value) -> Value {
    let top = resolved(payload)
    guard case .object(let fields) = top, case .object(let defaults) = base else {
      return top == .null ? base : top
    }
    return .object(defaults.merging(fields) { old, new in new == .null ? old : new })
  }
}

extension Value {
  /// Whether two sets of arguments are equal; a null field counts as missing.
  func isSame(as other: Value) -> Bool {
    guard case .object(let mine) = self, case .object(let others) = other else {
      return self == other
    }
    return mine.filter { $1 != .null } == others.filter { $1 != .null }
  }

  fileprivate func value(at path: [String]) -> Value {
    var value = self
    for name in path {
      guard let next = value[name] else { return .null }
      value = next
    }
    return value
  }

  /// The text of an inserted value; only scalars pass the manifest's checks.
  fileprivate var insertedText: String {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    case .double(let number): String(number)
    case .bool(let bool): bool ? "true" : "false"
    case .null: ""
    case .array, .object: json
    }
  }
}
