internal import Glibc

/// Turns mangled Swift names into readable ones, with the runtime's own function.
package enum Demangler {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>?, UInt, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let function: Demangle? = dlsym(nil, "swift_demangle").map {
    unsafeBitCast($0, to: Demangle.self)
  }

  /// The demangled name, or the name itself if it is not a mangled Swift name.
  package static func readable(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s"), let function,
      let result = function(symbol, UInt(symbol.utf8.count), nil, nil, 0)
    else { return symbol }
    defer { free(result) }
    return String(cString: result)
  }
}
