internal import Glibc

/// Encodes values one after the other, for ``ByteReader``: the format of scans and of their cache.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// A number in as many bytes as it needs (LEB128): seven bits in each, the lowest first.
  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func count(_ value: Int) { number(UInt64(max(0, value))) }

  /// A number in eight bytes, little-endian.
  package mutating func word(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func string(_ text: String) {
    count(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func data(_ data: some Collection<UInt8>) {
    count(data.count)
    bytes.append(contentsOf: data)
  }

  package mutating func list<Element>(
    _ elements: some Collection<Element>, _ write: (inout ByteWriter, Element) -> Void
  ) {
    count(elements.count)
    for element in elements { write(&self, element) }
  }
}

/// Decodes the output of ``ByteWriter`` from bytes that may be anything.
///
/// Every method returns `nil` if the bytes end too soon or are not valid, and nothing is allocated
/// for a count that the bytes can't hold.
package struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  package var left: Int { bytes.endIndex - position }
  package var isAtEnd: Bool { left == 0 }

  package mutating func byte() -> UInt8? {
    guard left > 0 else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = byte() {
      guard shift < 63 || byte < 2 else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// A count of elements that take at least one byte each; `nil` if so many can't follow.
  package mutating func count() -> Int? {
    guard let value = number(), value <= UInt64(left) else { return nil }
    return Int(value)
  }

  package mutating func word() -> UInt64? {
    guard left >= 8 else { return nil }
    let offset = position - bytes.startIndex
    position += 8
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  package mutating func data() -> ArraySlice<UInt8>? {
    guard let count = count() else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Without `String(validating:as:)`, which looks up generic types for each string: the plain
  /// initializer repairs invalid text, so that the result differs from the bytes.
  package mutating func string() -> String? {
    data().flatMap { data in
      data.withUnsafeBytes { data in
        var text = String(decoding: data, as: UTF8.self)
        let isSame = text.withUTF8 { text in
          guard text.count == data.count else { return false }
          guard let start = text.baseAddress, let data = data.baseAddress else { return true }
          return memcmp(start, data, text.count) == 0
        }
        return isSame ? text : nil
      }
    }
  }

  package mutating func list<Element>(
    _ read: (inout ByteReader) -> Element?
  ) -> [Element]? {
    guard let count = count() else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = read(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }
}
