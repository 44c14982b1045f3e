extension Value {
  /// How deeply objects and arrays that are parsed may be nested.
  static let depthLimit = 256

  /// Parses JSON, strictly by RFC 8259.
  ///
  /// - Throws: ``JSONError`` with the line and the cause.
  public init(json text: String) throws(JSONError) { try self.init(json: Array(text.utf8)) }

  /// Parses JSON in UTF-8, strictly by RFC 8259.
  ///
  /// - Throws: ``JSONError`` with the line and the cause.
  public init(json bytes: [UInt8]) throws(JSONError) {
    do throws(JSONReader.Failure) {
      self = try JSONReader.value(bytes, depthLimit: Self.depthLimit)
    } catch {
      let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw JSONError(reason: error.reason, line: line)
    }
  }

  /// This value as JSON on several lines, for a file that people may edit.
  public var readableJSON: String { text(.lines) + "\n" }

  /// This value as JSON on one line, with the fields of objects sorted by name.
  ///
  /// A number that JSON can't express (infinite, not a number) is written as `null`.
  public var json: String { text(.compact) }

  /// Appends ``json`` to `text`.
  public func write(to text: inout String) { text += json }

  private enum Layout {
    case compact
    /// On one line for people: with spaces between its parts, and with the numbers that JSON can't
    /// express.
    case spaced
    /// Each part on a line of its own.
    case lines
  }

  private func text(_ layout: Layout) -> String {
    var bytes: [UInt8] = []
    write(to: &bytes, layout)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to text: inout [UInt8], _ layout: Layout, depth: Int = 0) {
    func write<Part>(
      _ parts: [Part], in brackets: (String, String), _ body: (Part, inout [UInt8]) -> Void
    ) {
      func begin(_ depth: Int) {
        if layout == .lines { text += ("\n" + String(repeating: "  ", count: depth)).utf8 }
      }
      text += brackets.0.utf8
      for (index, part) in parts.enumerated() {
        if index > 0 { text += (layout == .spaced ? ", " : ",").utf8 }
        begin(depth + 1)
        body(part, &text)
      }
      if !parts.isEmpty { begin(depth) }
      text += brackets.1.utf8
    }
    switch self {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .int(let value): text += String(value).utf8
    case .double(let value):
      text += (value.isFinite || layout == .spaced ? String(value) : "null").utf8
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      write(values, in: ("[", "]")) { $0.write(to: &$1, layout, depth: depth + 1) }
    case .object(let fields):
      write(fields.sorted { $0.key < $1.key }, in: ("{", "}")) { field, text in
        Self.write(field.key, to: &text)
        text += (layout == .compact ? ":" : ": ").utf8
        field.value.write(to: &text, layout, depth: depth + 1)
      }
    }
  }

  /// Writes `string` as a JSON string.
  ///
  /// Besides what JSON requires, it escapes the two characters that JavaScript treats as line ends,
  /// and all that would affect a terminal in other ways than showing a character.
  private static func write(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    // Most strings have nothing to escape.
    if string.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }) {
      text += string.utf8
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text.append(UInt8(ascii: "\""))
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    switch scalar {
    case "\"": text += "\\\"".utf8
    case "\\": text += "\\\\".utf8
    case "\n": text += "\\n".utf8
    case "\r": text += "\\r".utf8
    case "\t": text += "\\t".utf8
    case _ where TextHazard.isHazard(scalar):
      for unit in String(Character(scalar)).utf16 {
        let digits = String(unit, radix: 16)
        text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      }
    default: text += scalar.utf8
    }
  }
}

extension Value: CustomStringConvertible, CustomDebugStringConvertible {
  /// This value on one line for people: ``json`` with spaces between its parts, and with `inf` and
  /// `nan`.
  public var description: String { text(.spaced) }

  /// The same as ``description``.
  public var debugDescription: String { description }
}

/// Why a text is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words.
  public let reason: String
  /// The line, counted from 1.
  public let line: Int

  /// What is wrong, and where.
  public var description: String { "line \(line): \(reason)" }
}
