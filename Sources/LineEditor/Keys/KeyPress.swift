/// A key that was pressed, or a text that was pasted.
package struct KeyPress: Hashable, Sendable {
  /// The key without its modifiers.
  package enum Code: Hashable, Sendable {
    /// One scalar of typed text; U+FFFD for invalid UTF-8.
    case scalar(Unicode.Scalar)
    case enter, tab, backspace, escape
    case up, down, left, right, home, end, insert, delete, pageUp, pageDown
    case function(Int)
    /// A text that the terminal marked as pasted; line ends are `\n`.
    case paste(String)
    /// A button or the wheel of the mouse.
    case pointer(Pointer)
    /// A sequence that is not known.
    case unknown
  }

  /// What was done with the mouse, and where; rows and columns are counted from 0.
  package struct Pointer: Hashable, Sendable {
    package enum Action: Sendable {
      case press, wheelUp, wheelDown
    }

    package let action: Action
    package let row: Int
    package let column: Int

    package init(_ action: Action, row: Int, column: Int) {
      self.action = action
      self.row = row
      self.column = column
    }
  }

  /// Modifier keys that are held down.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    /// Alt, or Meta; sent as an ESC before the key.
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  package static func control(_ letter: Unicode.Scalar) -> KeyPress {
    KeyPress(.scalar(letter), .control)
  }

  package static func alt(_ letter: Unicode.Scalar) -> KeyPress {
    KeyPress(.scalar(letter), .alt)
  }
}
