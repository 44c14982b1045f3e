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

/// Maps control characters and escape sequences to keys.
enum KeySequences {
  /// A scalar outside of sequences: text, or a control character.
  static func key(_ scalar: Unicode.Scalar) -> KeyPress {
    switch scalar.value {
    case 0x0a, 0x0d: return KeyPress(.enter)
    case 0x09: return KeyPress(.tab)
    case 0x08, 0x7f: return KeyPress(.backspace)
    case 0x00: return KeyPress(.scalar(" "), .control)
    case 0x01...0x1a: return .control(Unicode.Scalar(UInt8(scalar.value) + 0x60))
    // ^\ ^] ^^ ^_; ESC is handled by the decoder.
    case 0x1b...0x1f: return .control(Unicode.Scalar(UInt8(scalar.value) + 0x40))
    // The C1 control characters, which begin sequences on old terminals, are not text.
    case 0x80...0x9f: return KeyPress(.unknown)
    default: return KeyPress(.scalar(scalar))
    }
  }

  /// `ESC O` and a letter; a digit between them encodes the modifiers.
  static func singleShift(_ byte: UInt8, parameters: [UInt8]) -> KeyPress {
    let modifiers = parameters.last.map { Self.modifiers(Int($0) - 0x30) } ?? []
    switch byte {
    case UInt8(ascii: "M"): return KeyPress(.enter, modifiers)
    // rxvt: Control with an arrow.
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return KeyPress(letter(byte - 0x20), .control)
    // The keypad in application mode: `j` to `y` are `*` to `9`.
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      return KeyPress(.scalar(Unicode.Scalar(byte - 0x40)), modifiers)
    default: return KeyPress(letter(byte), modifiers)
    }
  }

  /// `ESC [ [` and a letter: F1 to F5 of the Linux console.
  static func linuxFunction(_ byte: UInt8) -> KeyPress {
    guard (0x41...0x45).contains(byte) else { return KeyPress(.unknown) }
    return KeyPress(.function(Int(byte) - 0x40))
  }

  /// `ESC [`, parameters and the final byte.
  static func sequence(_ final: UInt8, parameters: [UInt8]) -> KeyPress {
    if parameters.first == UInt8(ascii: "<") { return pointer(final, parameters.dropFirst()) }
    // A sequence that begins with `=`, `>` or `?` is a reply of the terminal, not a key.
    guard let numbers = numbers(parameters) else { return KeyPress(.unknown) }
    let modifiers = numbers.count > 1 ? Self.modifiers(numbers[1]) : []
    let first = numbers.first ?? 0
    switch final {
    case UInt8(ascii: "Z"): return KeyPress(.tab, modifiers.union(.shift))
    case UInt8(ascii: "~"):
      // xterm with modifyOtherKeys: `27 ; modifiers ; code ~`.
      if first == 27, numbers.count == 3 { return extended(numbers[2], modifiers) }
      return KeyPress(numbered(first), modifiers)
    // kitty and fixterms: `code ; modifiers u`.
    case UInt8(ascii: "u"): return extended(first, modifiers)
    // rxvt: Shift with an arrow.
    case UInt8(ascii: "a")...UInt8(ascii: "d"): return KeyPress(letter(final - 0x20), .shift)
    // rxvt: Control and Shift with a numbered key.
    case UInt8(ascii: "^"): return KeyPress(numbered(first), .control)
    case UInt8(ascii: "@"): return KeyPress(numbered(first), [.control, .shift])
    default: return KeyPress(letter(final), modifiers)
    }
  }

  /// `ESC [ <`, the button, the column and the row, and `M` or for a release `m`.
  private static func pointer(_ final: UInt8, _ parameters: ArraySlice<UInt8>) -> KeyPress {
    guard final == UInt8(ascii: "M"), let numbers = numbers(Array(parameters)), numbers.count == 3,
      numbers[1] > 0, numbers[2] > 0
    else { return KeyPress(.unknown) }
    let (row, column) = (numbers[2] - 1, numbers[1] - 1)
    switch numbers[0] {
    case 0: return KeyPress(.pointer(.init(.press, row: row, column: column)))
    case 64: return KeyPress(.pointer(.init(.wheelUp, row: row, column: column)))
    case 65: return KeyPress(.pointer(.init(.wheelDown, row: row, column: column)))
    default: return KeyPress(.unknown)
    }
  }

  /// The parameters; `nil` if they are not numbers.
  ///
  /// Subparameters are ignored: `a:b` counts as `a`.
  private static func numbers(_ bytes: [UInt8]) -> [Int]? {
    if bytes.isEmpty { return [] }
    var numbers: [Int] = []
    for part in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      var number = 0
      for byte in part.prefix(while: { $0 != UInt8(ascii: ":") }) {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = min(number * 10 + Int(byte) - 0x30, 0x11_0000)
      }
      numbers.append(number)
    }
    return numbers
  }

  /// The modifiers in xterm's encoding, which is 1 plus the bits; Meta counts as Alt.
  private static func modifiers(_ number: Int) -> KeyPress.Modifiers {
    guard number > 1 else { return [] }
    let bits = number - 1
    var modifiers: KeyPress.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 0b10_0010 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  private static func letter(_ byte: UInt8) -> KeyPress.Code {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte) - 0x4f)
    default: .unknown
    }
  }

  private static func numbered(_ number: Int) -> KeyPress.Code {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...24: .function(number - 12)
    default: .unknown
    }
  }

  private static func extended(_ code: Int, _ modifiers: KeyPress.Modifiers) -> KeyPress {
    switch code {
    case 9: return KeyPress(.tab, modifiers)
    case 13, 57_414: return KeyPress(.enter, modifiers)
    case 27: return KeyPress(.escape, modifiers)
    case 127, 8: return KeyPress(.backspace, modifiers)
    // kitty encodes keys without a character as code points of the private use area.
    case 57_344...63_743: return KeyPress(.unknown)
    default:
      guard code >= 0x20, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
        !(0x80...0x9f).contains(code)
      else { return KeyPress(.unknown) }
      if modifiers.contains(.shift), modifiers.isSubset(of: .shift), scalar.isASCII,
        let upper = scalar.properties.uppercaseMapping.unicodeScalars.first
      {
        return KeyPress(.scalar(upper))
      }
      return KeyPress(.scalar(scalar), modifiers)
    }
  }
}
