internal import Glibc

/// One symbol that a file defines or asks for.
///
/// The name stays bytes of the file: a plugin has hundreds, and messages want a few.
struct ELFSymbol {
  /// The name's bytes in the file, without the NUL that ends them.
  let name: UnsafeRawBufferPointer
  let info: UInt8
  let visibility: UInt8
  let section: UInt16
  let value: UInt64

  /// Whether the file defines the symbol.
  var isDefined: Bool { section != 0 }
  /// Whether the loader may leave the symbol unresolved.
  var isWeak: Bool { info >> 4 == 2 }
  var isLocal: Bool { info >> 4 == 0 }
  var isFunction: Bool { info & 0xf == 2 }
  /// Whether other files can see the symbol.
  var isExported: Bool { isDefined && !isLocal && (visibility == 0 || visibility == 3) }

  var string: String { String(decoding: name, as: UTF8.self) }

  func hasPrefix(_ prefix: StaticString) -> Bool {
    guard let start = name.baseAddress, name.count >= prefix.utf8CodeUnitCount else { return false }
    return memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
  }
}
