/// Expands the tokens `$ORIGIN`, `$LIB` and `$PLATFORM` in the paths of an ELF file; see ld.so(8).
struct DynamicStringTokens {
  /// The folder of the file that contains the path.
  let origin: String

  /// A token whose meaning only the loader knows.
  struct Unresolved: Error {
    let token: String
  }

  private static let names = ["ORIGIN", "LIB", "PLATFORM"]

  /// Replaces the tokens in a text; names that only begin like a token stay as they are.
  ///
  /// - Throws: ``Unresolved`` for `$LIB` and `$PLATFORM`, which each system's loader expands
  ///   differently.
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

  /// The token after a dollar sign at the start of a text, and its length there; `nil` if there is
  /// none.
  ///
  /// As in glibc, a name without braces must not be followed by another character of an identifier.
  private static func token(at text: Substring) -> (name: String, length: Int)? {
    for name in names {
      if text.hasPrefix("{\(name)}") { return (name, name.count + 2) }
      guard text.hasPrefix(name) else { continue }
      let next = text.dropFirst(name.count).utf8.first
      let wasRestored =
        next.map { byte in
          byte == 0x5f || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
            || (0x61...0x7a).contains(byte)
        } ?? false
      if !wasRestored { return (name, name.count) }
    }
    return nil
  }
}
