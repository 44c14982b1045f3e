internal import Glibc
internal import Support

/// Keeps the memory around a plugin's code empty in the scanning process.
///
/// If a damaged file refers to memory outside of itself, there is nothing to find: so the process
/// crashes during the scan, and not first in the host, whose memory has another layout. References
/// in code and in Swift's metadata reach two gigabytes in either direction, so that much is kept
/// empty. It costs address space only.
enum MemoryGuard {
  /// How much is kept empty on each side, in bytes.
  private static let reach = 0x8000_0000
  /// The address space that this takes, in bytes.
  static let addresses = 4 * UInt64(reach) + 2 * UInt64(largestGap)
  /// The largest gap that the kernel leaves above a large mapping to align it to large pages.
  private static let largestGap = 1 << 26

  /// Makes room for a plugin of `span` bytes, with nothing around it.
  ///
  /// The kernel places a mapping in the highest gap that it fits into. That is this one, because
  /// the gaps above are filled: the first mapping is below all in which a plugin would otherwise be
  /// placed.
  static func surround(span: UInt64) {
    guard span < 1 << 32 else { return }
    let size = (Int(span) + 4095) & ~4095
    guard map(reach) != nil, let start = map(2 * reach + size) else { return }
    for gap in gaps() where gap.count < reach { _ = map(gap.count, at: gap.lowerBound) }
    munmap(UnsafeMutableRawPointer(bitPattern: start + reach), size)
  }

  /// Maps memory that can be neither read nor written, at `address` if that is given; `nil` if that
  /// fails or something is mapped there.
  private static func map(_ size: Int, at address: Int? = nil) -> Int? {
    // MAP_FIXED_NOREPLACE, a Linux extension.
    let exactly: Int32 = 0x10_0000
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address == nil ? 0 : exactly)
    let start = mmap(
      address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }, size, PROT_NONE, flags, -1, 0)
    guard let start, start != MAP_FAILED else { return nil }
    return Int(bitPattern: start)
  }

  private static func gaps() -> [Range<Int>] {
    let bytes = (try? WholeFile.read("/proc/self/maps")) ?? []
    var gaps: [Range<Int>] = []
    var last: Int?
    for line in bytes.split(separator: 0x0a) {
      let range = String(decoding: line.prefix { $0 != 0x20 }, as: UTF8.self).split(separator: "-")
      guard range.count == 2, let start = Int(range[0], radix: 16),
        let end = Int(range[1], radix: 16)
      else { continue }
      if let last, last < start { gaps.append(last..<start) }
      last = end
    }
    return gaps
  }
}
