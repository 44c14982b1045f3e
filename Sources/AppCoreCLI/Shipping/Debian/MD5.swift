internal import Glibc

/// The MD5 digest of a file (RFC 1321), in lowercase hexadecimal, for a package's `md5sums`.
///
/// It is not used for security: dpkg compares it only to find damaged files.
struct MD5: CustomStringConvertible {
  let description: String

  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

  /// The table T of RFC 1321: the integer parts of 2³² × |sin(i)|, for i from 1 to 64.
  private static let sines: [UInt32] = (1...64).map { index in
    UInt32(truncatingIfNeeded: Int64((sin(Double(index)).magnitude * 4_294_967_296).rounded(.down)))
  }

  init(_ bytes: [UInt8]) {
    var message = bytes
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    withUnsafeBytes(of: (UInt64(bytes.count) &* 8).littleEndian) { message.append(contentsOf: $0) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    message.withUnsafeBytes { buffer in
      for offset in stride(from: 0, to: buffer.count, by: 64) {
        Self.add(buffer, at: offset, to: &state)
      }
    }
    description = state.flatMap { word in
      (0..<4).map { Self.hexadecimal(UInt8(truncatingIfNeeded: word >> (8 * $0))) }
    }.joined()
  }

  private static func add(_ bytes: UnsafeRawBufferPointer, at offset: Int, to state: inout [UInt32])
  {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch index / 16 {
      case 0: (mixed, word) = ((b & c) | (~b & d), index)
      case 1: (mixed, word) = ((d & b) | (~d & c), (5 * index + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * index + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), (7 * index) % 16)
      }
      let value = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4 * word, as: UInt32.self))
      let sum = mixed &+ a &+ sines[index] &+ value
      let shift = shifts[index / 16 * 4 + index % 4]
      let next = b &+ (sum << shift | sum >> (32 - shift))
      (a, d, c, b) = (d, c, b, next)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
