@_spi(Host) package import AppCore
internal import Support

/// The result of a line that names a control.
enum Resolution {
  case activate(Activation)
  case prompt(Prompt)
}

/// A control and its input, ready for the screen's owner.
public struct Activation: Hashable, Sendable {
  /// The control's index on its screen.
  public let control: Int
  package let input: ControlInput
  /// The control's label, for logs.
  public let label: String
  /// Whether the input must not be shown, logged or remembered.
  public let isSecret: Bool
  let identity: ControlIdentity
}

/// A value to ask the user for.
public struct Prompt: Hashable, Sendable {
  /// The question for the user, safe to print, without a colon.
  public let question: String
  /// Whether the input must not be shown.
  public let isSecret: Bool
  let identity: ControlIdentity
  let screen: Int
}

extension Activation {
  /// Whether the control is given a value, rather than pressed.
  var givesValue: Bool {
    switch input {
    case .press, .row: false
    case .text, .number, .toggle, .choice: true
    }
  }
}

extension Activation: CustomStringConvertible, CustomReflectable {
  /// The control and its value as on a line; a secret value is hidden.
  public var description: String {
    if isSecret { return label + " = <secret>" }
    switch input {
    case .press, .row: return label
    case .text(let text), .choice(let text): return label + " = " + JSONWriter.quote(text)
    case .number(let number): return label + " = " + NumberText.of(number)
    case .toggle(let isOn): return label + (isOn ? " = on" : " = off")
    }
  }

  /// An empty mirror, so that no dump shows a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
