internal import TestSupport

/// Ways in which files get damaged, and some in which only a test damages them.
enum Damage {
  private static let extremes: [UInt64] = [
    0, 1, 7, 8, 0xfff, 0x1000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000,
    0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0xffff_ffff_ffff_fff8, 0xffff_ffff_ffff_ffff,
  ]

  static func apply(to bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      // Headers and tables are at the front, the dynamic section and sections near the end.
      let reach = Bool.random(using: &random) ? min(0x600, bytes.count) : bytes.count
      let position = Int.random(in: 0..<reach, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 3:
        let value = extremes.randomElement(using: &random) ?? 0
        overwrite(&bytes, at: position & ~7, with: value, count: 8)
      case 4:
        let value = extremes.randomElement(using: &random) ?? 0
        overwrite(&bytes, at: position & ~3, with: value, count: 4)
      default:
        if Int.random(in: 0..<4, using: &random) == 0 {
          bytes.removeLast(bytes.count - position)
        } else {
          let from = Int.random(in: 0..<reach, using: &random)
          for index in 0..<16 where position + index < bytes.count && from + index < bytes.count {
            bytes[position + index] = bytes[from + index]
          }
        }
      }
    }
  }

  private static func overwrite(
    _ bytes: inout [UInt8], at position: Int, with value: UInt64, count: Int
  ) {
    for index in 0..<count where position + index < bytes.count {
      bytes[position + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
    }
  }
}
