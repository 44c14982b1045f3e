/// The SHA-256 digest of some bytes, as FIPS 180-4 defines it.
///
/// Implemented here: swift-crypto takes over a minute to compile, and Foundation would be loaded at
/// every start.
package struct SHA256: Hashable, Sendable {
  /// The digest's 32 bytes as four big-endian numbers.
  package let words: SIMD4<UInt64>

  package init(words: SIMD4<UInt64>) { self.words = words }

  /// Computes the digest of bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    var state = SIMD8<UInt32>(
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19)
    let whole = bytes.count & ~63
    Self.add(UnsafeRawBufferPointer(rebasing: bytes[..<whole]), to: &state)
    // The padding: the rest, a 1 bit, zeros, and the number of bits, in one block or two.
    var last = [UInt8](bytes[whole...])
    last.append(0x80)
    while last.count & 63 != 56 { last.append(0) }
    withUnsafeBytes(of: (UInt64(bytes.count) &<< 3).bigEndian) { last.append(contentsOf: $0) }
    last.withUnsafeBytes { Self.add($0, to: &state) }
    words =
      SIMD4(truncatingIfNeeded: state.evenHalf) &<< 32 | SIMD4(truncatingIfNeeded: state.oddHalf)
  }

  package init(_ bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { SHA256($0) }
  }
}

extension SHA256: CustomStringConvertible {
  /// 64 hexadecimal digits, as `sha256sum` prints them.
  package var description: String {
    words.indices.map { index in
      let digits = String(words[index], radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The first 12 digits and an ellipsis, for a message in one line.
  package var short: String { description.prefix(12) + "…" }

  /// Reads 64 hexadecimal digits in lower case; `nil` for any other text.
  ///
  /// - Complexity: O(1). A lock has thousands of digests, so this is not generic: calls from other
  ///   modules would not be specialized.
  package init?(digits: ArraySlice<UInt8>) {
    guard digits.count == 64 else { return nil }
    var words = SIMD4<UInt64>()
    for (index, digit) in digits.enumerated() {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x61 + 10
      default: return nil
      }
      words[index / 16] = words[index / 16] &<< 4 | UInt64(value)
    }
    self.words = words
  }
}

extension SHA256 {
  /// Adds whole blocks of 64 bytes to the digest of those before.
  private static func add(_ blocks: UnsafeRawBufferPointer, to state: inout SIMD8<UInt32>) {
    guard let base = blocks.baseAddress else { return }
    constants.withUnsafeBufferPointer { constants in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        guard let k = constants.baseAddress, let w = schedule.baseAddress else { return }
        var offset = 0
        while offset < blocks.count {
          add(base + offset, to: &state, k, w)
          offset += 64
        }
      }
    }
  }

  private static func add(
    _ block: UnsafeRawPointer, to state: inout SIMD8<UInt32>, _ k: UnsafePointer<UInt32>,
    _ w: UnsafeMutablePointer<UInt32>
  ) {
    var index = 0
    while index < 16 {
      w[index] = UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
      index &+= 1
    }
    while index < 64 {
      let x = w[index &- 15]
      let y = w[index &- 2]
      let s0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ (x &>> 3)
      let s1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ (y &>> 10)
      w[index] = w[index &- 16] &+ s0 &+ w[index &- 7] &+ s1
      index &+= 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    // Eight rounds per iteration, after which each variable has its own role again.
    index = 0
    while index < 64 {
      round(a, b, c, &d, e, f, g, &h, k[index] &+ w[index])
      round(h, a, b, &c, d, e, f, &g, k[index &+ 1] &+ w[index &+ 1])
      round(g, h, a, &b, c, d, e, &f, k[index &+ 2] &+ w[index &+ 2])
      round(f, g, h, &a, b, c, d, &e, k[index &+ 3] &+ w[index &+ 3])
      round(e, f, g, &h, a, b, c, &d, k[index &+ 4] &+ w[index &+ 4])
      round(d, e, f, &g, h, a, b, &c, k[index &+ 5] &+ w[index &+ 5])
      round(c, d, e, &f, g, h, a, &b, k[index &+ 6] &+ w[index &+ 6])
      round(b, c, d, &e, f, g, h, &a, k[index &+ 7] &+ w[index &+ 7])
      index &+= 8
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ input: UInt32
  ) {
    let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
    let first = h &+ s1 &+ (g ^ (e & (f ^ g))) &+ input
    let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
    d = d &+ first
    h = first &+ s0 &+ ((a & b) | (c & (a | b)))
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
