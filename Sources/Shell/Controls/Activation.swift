@_spi(Host) package import AppCore
internal import Support

/// A control and its input, ready for the screen's owner.
public struct Activation: Hashable, Sendable {
  public let control: Int
  package let input: ControlInput
  /// The control's label, for logs; if keys have used it, its name in a script.
  public fileprivate(set) var label: String
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
  package let identity: ControlIdentity
  let screen: Int
}

extension Activation {
  /// Whether the control is given a value, rather than pressed.
  var givesValue: Bool {
    switch input {
    case .press, .row, .sort, .select: false
    case .text, .number, .date, .toggle, .choice: true
    }
  }
}

extension Activation: CustomStringConvertible, CustomReflectable {
  /// The control and its value as on a line; a secret value is hidden.
  public var description: String {
    label + (isSecret ? " = <secret>" : assignment)
  }

  /// The control without its label and its value, which may be what somebody has typed.
  ///
  /// A row is without its identifier, too, which is data. What sorts a list or selects a row of it has
  /// the list's identifier, which is in the feature's code.
  package var outline: String {
    switch (input, identity.name) {
    case (.row, _), (_, .row): "a row"
    case (_, .id(let id)), (_, .label(_, let id?, _, _)): "@" + id
    case (_, .label): "a control without an identifier"
    }
  }

  /// The value as it follows the control's name on a line.
  private var assignment: String {
    switch input {
    case .press, .row, .sort, .select: ""
    case .text(let text), .choice(let text): " = " + JSONTree.quote(text)
    case .number(let number): " = " + NumberText.of(number)
    case .date(let date): " = \(date)"
    case .toggle(let isOn): isOn ? " = on" : " = off"
    }
  }

  /// An empty mirror, so that no dump shows a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ShellScreen {
  /// A line for a script that repeats an activation on this screen.
  ///
  /// It names the control by its identifier or label, because numbers may change.
  ///
  /// - Returns: the line; `nil` for a secret, and for a control without a unique identifier or
  ///   label.
  public func scriptLine(for activation: Activation) -> String? {
    activation.isSecret ? nil : named(activation)?.description
  }

  /// The activation with the name that a script has for its control; `nil` if it has none.
  package func named(_ activation: Activation) -> Activation? {
    guard let name = ControlIndex(self).name(of: activation) else { return nil }
    var named = activation
    named.label = name
    return named
  }
}

extension ControlIndex {
  /// The name of an activation's control on a line: its identifier, or else its label in quotes;
  /// `nil` if neither is unique.
  fileprivate func name(of activation: Activation) -> String? {
    let label = activation.label
    var target: ControlTarget?
    switch activation.input {
    case .sort, .select:
      // The line is the name, if it does the same.
      let argument = label.dropFirst(":sort ".count)
      let found: Activation? =
        if case .sort = activation.input {
          (try? Scanner.decoded(argument)).flatMap { try? sorting($0) }
        } else {
          try? selecting(label)
        }
      return found?.input == activation.input && found?.control == activation.control ? label : nil
    case .row(let position):
      guard let list = lists.first(where: { $0.index == activation.control }),
        (0..<list.count).contains(position)
      else { return nil }
      target = ControlTarget(list.row(position), in: list, at: position)
    default: target = controls.first { $0.index == activation.control }
    }
    guard let target else { return nil }
    if let id = target.id, !id.isEmpty, targets(id: id).count == 1, selectable(id) == nil {
      return Scanner.line(identifier: id)
    }
    guard targets(label: target.label).count == 1 else { return nil }
    return JSONTree.quote(target.label)
  }
}
