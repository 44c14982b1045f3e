public import AppCore
internal import AppCoreHost
internal import Conversation

/// A screen as a person and as a program see it.
public struct ShownScreen: Sendable, CustomStringConvertible {
  /// What a person sees, without newlines.
  public let lines: [String]
  /// What a program reads: the object that `--json` prints.
  public let json: Value

  init(_ reading: ScreenReading) {
    lines = reading.lines
    json = reading.value
  }

  /// What a person sees.
  public var text: String { lines.joined(separator: "\n") }

  /// The screen as a person sees it.
  public var description: String { text }

  /// The screen's title.
  public var title: String { json["title"]?.text ?? "" }

  /// Whether the screen is in a dialog.
  public var isModal: Bool { json["modal"] == true }

  /// Notices, each shown once: what the test's last step could not do.
  public var notices: [String] {
    (json["notices"]?.elements ?? []).compactMap { $0["text"]?.text }
  }

  /// The names of the tabs of the nearest container.
  public var tabs: [String] { (json["tabs"]?.elements ?? []).compactMap { $0["name"]?.text } }

  /// The name of the tab that shows; `nil` where there are none.
  public var selectedTab: String? {
    (json["tabs"]?.elements ?? []).first { $0["selected"] == true }?["name"]?.text
  }

  /// The controls, rows of the shown pages included, in the order of their numbers.
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
  /// - Returns: the control; `nil` where the screen does not show it.
  public func control(_ id: String) -> ShownControl? { controls.first { $0.id == id } }
}

/// A control that shows: a button, a field, a toggle, a choice or a row.
public struct ShownControl: Hashable, Sendable {
  /// `button`, `field`, `toggle`, `choice` or `row`.
  public let kind: String
  /// The number that a line may begin with.
  public let number: Int
  /// The stable identifier, without `@`.
  public let id: String?
  /// What the control is called.
  public let label: String
  /// Its value; `null` where it has none, or a secret one.
  public let value: Value
  /// Whether it can be used.
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
