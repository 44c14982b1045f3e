/// Reads JSON strictly by RFC 8259: it rejects duplicate names, unpaired surrogates, and nesting
/// beyond a limit.
@_spi(Host)
public struct JSONReader {
  /// What is wrong, and where.
  public struct Failure: Error, Hashable {
    /// What is wrong, in words.
    public let reason: String
    /// The place, as an offset in bytes, counted from 0.
    public let offset: Int
    /// Whether it is an unpaired surrogate.
    public var isSurrogate = false
  }

  private let bytes: [UInt8]
  /// The number of bytes that have been read.
  public private(set) var position = 0
  private let depthLimit: Int
  /// The fields of the objects that are being read, each with its place: an object is made when it is
  /// read, as large as it is.
  private var fields: [(name: String, value: Value, start: Int)] = []

  /// Creates a reader at the start of the bytes.
  public init(_ bytes: some Sequence<UInt8>, depthLimit: Int = 32) {
    self.bytes = Array(bytes)
    self.depthLimit = depthLimit
  }

  /// Whether all bytes have been read.
  public var isAtEnd: Bool { position == bytes.count }

  /// Parses bytes that are exactly one value.
  ///
  /// - Throws: `Failure` if they are not.
  public static func value(
    _ bytes: some Sequence<UInt8>, depthLimit: Int = 32
  ) throws(Failure) -> Value {
    var reader = JSONReader(bytes, depthLimit: depthLimit)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.isAtEnd else { throw reader.failure("something follows the value") }
    return value
  }

  /// Reads the next of several values with nothing but space between them; `nil` at the end.
  ///
  /// - Throws: `Failure` if something else follows.
  public mutating func nextValue() throws(Failure) -> Value? {
    skipSpace()
    guard !isAtEnd else { return nil }
    return try value(depth: 0)
  }

  private func failure(_ reason: String, at offset: Int? = nil) -> Failure {
    Failure(reason: reason, offset: offset ?? position)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
      position += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> Value {
    skipSpace()
    guard let byte = next else { throw failure("a value is missing") }
    switch byte {
    case UInt8(ascii: "{"):
      guard depth < depthLimit else { throw failure("nested more than \(depthLimit) deep") }
      return try object(depth: depth + 1)
    case UInt8(ascii: "["):
      guard depth < depthLimit else { throw failure("nested more than \(depthLimit) deep") }
      return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    default: throw failure("a value is missing")
    }
  }

  private mutating func word(_ word: String, _ value: Value) throws(Failure) -> Value {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("a value is missing") }
    position += word.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> Value {
    position += 1
    skipSpace()
    if take("}") { return .object([:]) }
    let first = fields.count
    repeat {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw failure("a field's name is missing") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw failure("':' is missing") }
      fields.append((name, try value(depth: depth), start))
      skipSpace()
    } while take(",")
    guard take("}") else { throw failure("',' or '}' is missing") }
    var object = [String: Value](minimumCapacity: fields.count - first)
    for index in first..<fields.count {
      let (name, value, start) = fields[index]
      guard object.updateValue(value, forKey: name) == nil else {
        throw failure("the field \(Value.string(name).json) appears twice", at: start)
      }
    }
    fields.removeSubrange(first...)
    return .object(object)
  }

  private mutating func array(depth: Int) throws(Failure) -> Value {
    position += 1
    var elements: [Value] = []
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth))
      skipSpace()
    } while take(",")
    guard take("]") else { throw failure("',' or ']' is missing") }
    return .array(elements)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    if position == start { throw failure("a digit is missing") }
  }

  private mutating func number() throws(Failure) -> Value {
    let start = position
    var isWhole = true
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int(text) { return .int(integer) }
    guard let double = Double(text), double.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .double(double)
  }

  /// Reads a string; the position must be at its opening quotation mark.
  ///
  /// - Throws: `Failure` if it is not a valid string.
  public mutating func string() throws(Failure) -> String {
    let start = position
    guard take("\"") else { throw failure("a string is missing") }
    // Nearly every string is plain, and is taken as it stands.
    let first = position
    while let byte = next, (0x20..<0x7f).contains(byte), byte != UInt8(ascii: "\\") {
      position += 1
      if byte == UInt8(ascii: "\"") {
        return String(decoding: bytes[first..<position - 1], as: UTF8.self)
      }
    }
    var content = Array(bytes[first..<position])
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw failure("the string is not UTF-8", at: start)
        }
        return text
      case UInt8(ascii: "\\"): try escape(into: &content)
      case 0..<0x20: throw failure("a control character must be escaped", at: position - 1)
      default: content.append(byte)
      }
    }
    throw failure("the closing quotation mark is missing", at: start)
  }

  private mutating func escape(into content: inout [UInt8]) throws(Failure) {
    let start = position - 1
    guard let byte = next else { throw failure("the closing quotation mark is missing") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0c)
    case UInt8(ascii: "n"): content.append(0x0a)
    case UInt8(ascii: "r"): content.append(0x0d)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xd800..<0xdc00).contains(code), take("\\"), take("u") {
        let low = try hexadecimal()
        if (0xdc00..<0xe000).contains(low) {
          code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw Failure(
          reason: "a \\u escape is half a surrogate pair", offset: start, isSurrogate: true)
      }
      content.append(contentsOf: Array(String(Character(scalar)).utf8))
    default: throw failure("an escape is unknown", at: start)
    }
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    let end = position + 4
    guard end <= bytes.count, bytes[position..<end].allSatisfy(Self.isHexadecimal),
      let code = UInt32(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits are due after \\u") }
    position = end
    return code
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}
