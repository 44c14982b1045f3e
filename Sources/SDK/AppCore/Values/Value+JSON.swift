extension Value {
  /// Parses JSON, strictly by RFC 8259.
  ///
  /// - Throws: ``JSONError`` with the line and the cause.
  public init(json text: String) throws(JSONError) { try self.init(json: Array(text.utf8)) }

  /// Parses JSON in UTF-8, strictly by RFC 8259.
  ///
  /// - Throws: ``JSONError`` with the line and the cause.
  public init(json bytes: [UInt8]) throws(JSONError) {
    do throws(JSONReader.Failure) {
      self = try JSONReader.value(bytes, depthLimit: 256)
    } catch {
      let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw JSONError(reason: error.reason, line: line)
    }
  }

  /// This value as JSON on several lines, for a file that people may edit.
  public var readableJSON: String {
    var text = ""
    writeReadable(to: &text, indent: 0)
    return text + "\n"
  }

  private func writeReadable(to text: inout String, indent: Int) {
    let margin = "\n" + String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .object(let fields) where !fields.isEmpty:
      text += "{"
      for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
        text += (index > 0 ? "," : "") + margin
        Self.write(field.key, to: &text)
        text += ": "
        field.value.writeReadable(to: &text, indent: indent + 2)
      }
      text += end + "}"
    case .array(let values) where !values.isEmpty:
      text += "["
      for (index, value) in values.enumerated() {
        text += (index > 0 ? "," : "") + margin
        value.writeReadable(to: &text, indent: indent + 2)
      }
      text += end + "]"
    default: write(to: &text)
    }
  }

  /// This value as JSON on one line, with the fields of objects sorted by name.
  ///
  /// A number that JSON can't express (infinite, not a number) is written as `null`.
  public var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Appends ``json`` to `text`.
  public func write(to text: inout String) { write(to: &text, isForPeople: false) }

  /// Appends this value to `text`: as JSON or, for people, with spaces between its parts and with
  /// the numbers that JSON can't express.
  private func write(to text: inout String, isForPeople: Bool) {
    let separator = isForPeople ? ", " : ","
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .double(let value): text += value.isFinite || isForPeople ? String(value) : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += separator }
        value.write(to: &text, isForPeople: isForPeople)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += separator }
        Self.write(field.key, to: &text)
        text += isForPeople ? ": " : ":"
        field.value.write(to: &text, isForPeople: isForPeople)
      }
      text += "}"
    }
  }

  /// Writes `string` as a JSON string.
  ///
  /// Besides what JSON requires, it escapes the two characters that JavaScript treats as line ends,
  /// and all that would affect a terminal in other ways than showing a character.
  private static func write(_ string: String, to text: inout String) {
    text += "\""
    // Most strings have nothing to escape.
    if string.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text += "\""
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where TextHazard.isHazard(scalar):
      for unit in String(Character(scalar)).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    default: text.unicodeScalars.append(scalar)
    }
  }
}

extension Value: CustomStringConvertible, CustomDebugStringConvertible {
  /// This value on one line for people: ``json`` with spaces between its parts, and with `inf` and
  /// `nan`.
  public var description: String {
    var text = ""
    write(to: &text, isForPeople: true)
    return text
  }

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
