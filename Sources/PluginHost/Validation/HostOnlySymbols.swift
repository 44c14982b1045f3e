internal import Glibc

/// The symbols of the SDK's declarations that are for hosts only: those with `@_spi(Host)`.
///
/// The promise that plugins work with later releases of the SDK does not cover them.
enum HostOnlySymbols {
  /// Whether a mangled name is that of such a declaration, or of a member of one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of declarations.
  static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    // No prefix is a prefix of another, so only the last one that sorts before the name can match.
    var (low, high) = (0, prefixes.count)
    while low < high {
      let middle = (low + high) / 2
      if compare(prefixes[middle], name) <= 0 { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    let prefix = prefixes[low - 1]
    let count = prefix.utf8CodeUnitCount
    guard let base = name.baseAddress, name.count >= count else { return false }
    return memcmp(prefix.utf8Start, base, count) == 0
  }

  private static func compare(_ prefix: StaticString, _ name: UnsafeRawBufferPointer) -> Int {
    guard let base = name.baseAddress else { return 1 }
    let count = min(prefix.utf8CodeUnitCount, name.count)
    let order = Int(memcmp(prefix.utf8Start, base, count))
    return order != 0 ? order : prefix.utf8CodeUnitCount - name.count
  }
}
