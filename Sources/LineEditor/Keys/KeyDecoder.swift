internal import Support

/// Decodes the bytes that a terminal sends into keys, one byte at a time.
///
/// It never waits and never looks ahead: the keys do not depend on how the bytes are split over
/// reads. Only an incomplete sequence, such as a lone ESC, is ambiguous: ``deadline`` says how long
/// to wait for more, and ``overdueKeys()`` decodes it as it is then.
///
/// It decodes UTF-8, control characters, ESC as a prefix for Alt, CSI and SS3 sequences of xterm,
/// the Linux console, rxvt and kitty, and bracketed paste. Strings (OSC, DCS, APC, PM, SOS) are
/// discarded. The states are those of Paul Williams' parser for DEC terminals, reduced to what
/// keyboards send.
package struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case escape
    /// After `ESC O`.
    case singleShift
    /// After `ESC [`, or `ESC [ [` of the Linux console.
    case sequence
    case linuxFunction
    /// In a string that ends with BEL or `ESC \`, or before Enter.
    case string(sawEscape: Bool)
    case paste
  }

  private var state = State.ground
  /// Whether an ESC preceded the key or its sequence, which means Alt.
  private var hasAlt = false
  private var parameters: [UInt8] = []
  private var assembler = UTF8Assembler()
  private var paste = PasteReader()
  /// When an incomplete sequence is decoded as it is, in nanoseconds; `nil` if nothing is ambiguous.
  package private(set) var deadline: Int?
  /// The maximum length of a sequence; a longer one is discarded up to its end.
  private static let sequenceLimit = 64

  package init() {}

  /// How long to wait for more bytes, in milliseconds; `nil` if nothing is ambiguous.
  var timeout: Int? {
    switch state {
    case .ground: nil
    case .escape, .singleShift: 300
    // Once a sequence has begun, the rest comes, even over a slow connection.
    case .sequence, .linuxFunction: 2000
    // If the end of a paste was lost, it must not swallow everything that is typed later.
    case .string, .paste: 10_000
    }
  }

  /// Decodes bytes, and returns the keys that they complete.
  package mutating func keys(_ bytes: some Sequence<UInt8>) -> [KeyPress] {
    var keys: [KeyPress] = []
    for byte in bytes { feed(byte, &keys) }
    deadline = timeout.map { MonotonicTime.now() + $0 * 1_000_000 }
    return keys
  }

  /// Decodes an incomplete sequence if its ``deadline`` has passed without more bytes.
  package mutating func overdueKeys() -> [KeyPress] {
    guard let deadline, deadline <= MonotonicTime.now() else { return [] }
    return giveUpWaiting()
  }

  /// Decodes an incomplete sequence as it is.
  mutating func giveUpWaiting() -> [KeyPress] {
    let modifiers: KeyPress.Modifiers = hasAlt ? .alt : []
    defer {
      reset()
      deadline = nil
    }
    switch state {
    case .ground: return []
    case .escape: return [KeyPress(.escape, modifiers)]
    case .singleShift: return [.alt("O")]
    case .sequence where parameters.isEmpty: return [.alt("[")]
    case .sequence, .linuxFunction, .string: return [KeyPress(.unknown)]
    case .paste: return [KeyPress(.paste(paste.finish()))]
    }
  }

  private mutating func reset() {
    state = .ground
    hasAlt = false
    parameters.removeAll(keepingCapacity: true)
  }

  private mutating func feed(_ byte: UInt8, _ keys: inout [KeyPress]) {
    switch state {
    case .ground: ground(byte, &keys)
    case .escape: escape(byte, &keys)
    case .singleShift:
      // `ESC O 2 P` is what some terminals send for Shift-F1.
      if (0x30...0x39).contains(byte), parameters.count < 2 { return parameters.append(byte) }
      finish(KeySequences.singleShift(byte, parameters: parameters), byte, &keys)
    case .sequence: sequence(byte, &keys)
    case .linuxFunction: finish(KeySequences.linuxFunction(byte), byte, &keys)
    case .string(let sawEscape): string(byte, sawEscape, &keys)
    case .paste:
      if paste.feed(byte) {
        keys.append(KeyPress(.paste(paste.finish())))
        reset()
      }
    }
  }

  private mutating func ground(_ byte: UInt8, _ keys: inout [KeyPress]) {
    for scalar in assembler.feed(byte) {
      if scalar == "\u{1b}" {
        state = .escape
      } else {
        var key = KeySequences.key(scalar ?? "\u{fffd}")
        if hasAlt { key.modifiers.insert(.alt) }
        keys.append(key)
      }
      hasAlt = false
    }
  }

  private mutating func escape(_ byte: UInt8, _ keys: inout [KeyPress]) {
    switch byte {
    case 0x1b:
      // A second ESC means Alt with what follows; further ones are ignored.
      hasAlt = true
    case UInt8(ascii: "["): state = .sequence
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      // Without more bytes this would be Alt and the character, but no key is bound to those.
      state = .string(sawEscape: false)
    default:
      state = .ground
      hasAlt = true
      ground(byte, &keys)
    }
  }

  private mutating func sequence(_ byte: UInt8, _ keys: inout [KeyPress]) {
    switch byte {
    // rxvt ends a numbered key with `$` for Shift; elsewhere it belongs to the terminal's answers.
    case UInt8(ascii: "$")
    where !parameters.isEmpty && parameters.allSatisfy { (0x30...0x39).contains($0) }:
      var key = KeySequences.sequence(UInt8(ascii: "~"), parameters: parameters)
      key.modifiers.insert(.shift)
      finish(key, byte, &keys)
    case 0x20...0x3f:
      if parameters.count <= Self.sequenceLimit { parameters.append(byte) }
    case UInt8(ascii: "[") where parameters.isEmpty: state = .linuxFunction
    case 0x40...0x7e:
      guard parameters.count <= Self.sequenceLimit else {
        return finish(KeyPress(.unknown), byte, &keys)
      }
      if byte == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) {
        reset()
        paste = PasteReader()
        state = .paste
        return
      }
      finish(KeySequences.sequence(byte, parameters: parameters), byte, &keys)
    default:
      // A byte that can't be in a sequence ends it, and is decoded by itself.
      reset()
      keys.append(KeyPress(.unknown))
      feed(byte, &keys)
    }
  }

  private mutating func string(_ byte: UInt8, _ sawEscape: Bool, _ keys: inout [KeyPress]) {
    switch byte {
    // No terminal sends these in a string: a person has typed Alt and `_`, and now presses Enter.
    case 0x0a, 0x0d:
      reset()
      feed(byte, &keys)
    case 0x07, 0x18, 0x1a, 0x03: reset()
    case UInt8(ascii: "\\") where sawEscape: reset()
    default: state = .string(sawEscape: byte == 0x1b)
    }
  }

  private mutating func finish(_ key: KeyPress, _ byte: UInt8, _ keys: inout [KeyPress]) {
    var key = key
    if hasAlt { key.modifiers.insert(.alt) }
    reset()
    keys.append(key)
    // A control character or a byte beyond ASCII does not belong to the sequence.
    if byte < 0x20 || byte >= 0x7f { feed(byte, &keys) }
  }
}

/// Decodes UTF-8 that arrives one byte at a time.
struct UTF8Assembler: Sendable {
  /// The beginning of a scalar.
  private var bytes: [UInt8] = []

  /// Decodes a byte, which completes nothing, one result, or an invalid part and one more result.
  ///
  /// `nil` stands for each maximal part that could have begun a scalar, as Unicode recommends
  /// (chapter 3, "substitution of maximal subparts").
  mutating func feed(_ byte: UInt8) -> [Unicode.Scalar?] {
    bytes.append(byte)
    var results: [Unicode.Scalar?] = []
    while let first = bytes.first {
      var iterator = bytes.makeIterator()
      var parser = Unicode.UTF8.ForwardParser()
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        results.append(Unicode.UTF8.decode(scalar))
        bytes.removeFirst(scalar.count)
      case .error(let length):
        let whole = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        if length == bytes.count, length < whole { return results }
        results.append(nil)
        bytes.removeFirst(length)
      case .emptyInput: return results
      }
    }
    return results
  }
}

/// Collects the text between the marks of a bracketed paste.
struct PasteReader: Sendable {
  private var bytes: [UInt8] = []
  private static let end = Array("\u{1b}[201~".utf8)
  /// The maximum length in bytes; a longer paste is truncated.
  private static let limit = 16 << 20

  /// Takes a byte; `true` if it ends the paste.
  mutating func feed(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    guard byte == UInt8(ascii: "~"), bytes.count >= Self.end.count,
      bytes[(bytes.count - Self.end.count)...].elementsEqual(Self.end)
    else {
      // The last bytes are kept even beyond the limit, so that the end mark is still found.
      if bytes.count > Self.limit + 64 { bytes.removeSubrange(Self.limit..<Self.limit + 32) }
      return false
    }
    bytes.removeLast(Self.end.count)
    return true
  }

  /// Returns the text, with line ends as `\n`, invalid UTF-8 repaired and other control characters
  /// removed.
  mutating func finish() -> String {
    var text = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      defer { afterReturn = scalar == "\r" }
      switch scalar.value {
      case 0x0a where afterReturn: continue
      case 0x0a, 0x0d: text.append("\n")
      case 0x09: text.append("\t")
      case 0..<0x20, 0x7f..<0xa0: continue
      default: text.append(scalar)
      }
    }
    bytes = []
    return String(text)
  }
}
