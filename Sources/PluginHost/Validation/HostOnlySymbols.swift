internal import Glibc

/// The symbols of the SDK's declarations for hosts: what is `@_spi(Host)` there.
///
/// The promise that plugins outlive releases of the SDK does not cover them.
enum HostOnlySymbols {
  /// Whether a mangled name is of such a declaration, or of a member of one.
  ///
  /// - Complexity: O(log n) in the declarations.
  static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    // No prefix is one of another: only the last that sorts before the name can be one of it.
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
