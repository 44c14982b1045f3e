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

  /// Bytes without their count.
  mutating func append(_ data: some Collection<UInt8>) { bytes.append(contentsOf: data) }

  package mutating func list<Element>(
    _ elements: some Collection<Element>, _ write: (inout ByteWriter, Element) -> Void
  ) {
    count(elements.count)
    for element in elements { write(&self, element) }
  }
}
