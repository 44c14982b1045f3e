/// What `$ORIGIN`, `$LIB` and `$PLATFORM` stand for in what a library says of others; see ld.so(8).
struct DynamicStringTokens {
  /// The folder of the library that says it.
  let origin: String

  /// A token whose meaning only the loader knows.
  struct Unresolved: Error {
    let token: String
  }

  private static let names = ["ORIGIN", "LIB", "PLATFORM"]

  /// Replaces the tokens in a text; what only begins like one stays as it is.
  ///
  /// - Throws: ``Unresolved`` for `$LIB` and `$PLATFORM`: each system's loader has its own idea of them.
  func expand(_ text: String) throws(Unresolved) -> String {
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      guard let (name, length) = Self.token(at: rest) else {
        result += "$"
        continue
      }
      guard name == "ORIGIN" else { throw Unresolved(token: "$" + name) }
      result += origin
      rest = rest.dropFirst(length)
    }
    return result + rest
  }

  /// The token that a text begins with, after its dollar sign, and how long it is there.
  ///
  /// As in glibc, a name without braces ends where no identifier could continue.
  private static func token(at text: Substring) -> (name: String, length: Int)? {
    for name in names {
      if text.hasPrefix("{\(name)}") { return (name, name.count + 2) }
      guard text.hasPrefix(name) else { continue }
      let next = text.dropFirst(name.count).utf8.first
      let goesOn =
        next.map { byte in
          byte == 0x5f || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
            || (0x61...0x7a).contains(byte)
        } ?? false
      if !goesOn { return (name, name.count) }
    }
    return nil
  }
}
