public import AppCore
internal import AppCoreHost

/// A screen of the app, as text for people and as JSON for programs.
public struct ShownScreen: Sendable, CustomStringConvertible {
  /// The lines that a person sees, without newlines.
  public let lines: [String]
  /// The object that `--json` prints for programs.
  public let json: Value

  init(_ reading: ScreenReading) {
    lines = reading.lines
    json = reading.value
  }

  /// The lines that a person sees, joined with newlines.
  public var text: String { lines.joined(separator: "\n") }

  public var description: String { text }

  public var title: String { json["title"]?.text ?? "" }

  public var isModal: Bool { json["modal"] == true }

  /// The notices about the test's last action, such as why a route was refused.
  public var notices: [String] {
    (json["notices"]?.elements ?? []).compactMap { $0["text"]?.text }
  }

  public var tabs: [String] { (json["tabs"]?.elements ?? []).compactMap { $0["name"]?.text } }

  /// The name of the selected tab; `nil` if there are no tabs.
  public var selectedTab: String? {
    (json["tabs"]?.elements ?? []).first { $0["selected"] == true }?["name"]?.text
  }

  /// The controls in the order of their numbers, including the rows of the shown pages.
  public var controls: [ShownControl] {
    var found: [ShownControl] = []
    var pending = Array((json["elements"]?.elements ?? []).reversed())
    while let element = pending.popLast() {
      if let control = ShownControl(element) { found.append(control) }
      pending += (element["elements"]?.elements ?? []).reversed()
      pending += (element["rows"]?.elements ?? []).reversed()
    }
    return found
  }

  /// The control with a stable identifier.
  ///
  /// - Parameter id: the identifier, without `@`.
  /// - Returns: the control; `nil` if the screen does not show it.
  public func control(_ id: String) -> ShownControl? { controls.first { $0.id == id } }
}

/// A control on a screen: a button, a field, a toggle, a choice or a row.
public struct ShownControl: Hashable, Sendable {
  /// `button`, `field`, `toggle`, `choice` or `row`.
  public let kind: String
  /// The number that selects the control at the beginning of a line.
  public let number: Int
  /// The stable identifier, without `@`; `nil` if there is none.
  public let id: String?
  public let label: String
  /// The value; `null` if there is none, or it is secret.
  public let value: Value
  public let isEnabled: Bool

  init?(_ element: Value) {
    guard case .int(let number)? = element["number"], let kind = element["kind"]?.text else {
      return nil
    }
    self.kind = kind
    self.number = number
    id = element["id"]?.text
    label = element["label"]?.text ?? ""
    value = element["value"] ?? .null
    isEnabled = element["enabled"] == true
  }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var elements: [Value] { if case .array(let all) = self { all } else { [] } }
}
