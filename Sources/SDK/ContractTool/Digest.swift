/// FNV-1a over 128 bits: enough to tell builds apart; it guards against accidents, not attackers.
struct Digest {
  private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      state ^= UInt128(byte)
      state = state &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
  }

  /// The digest's first 64 bits, as 16 hexadecimal digits.
  var text: String {
    let digits = String(UInt64(truncatingIfNeeded: state >> 64 ^ state), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
