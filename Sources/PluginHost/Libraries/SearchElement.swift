internal import Support

/// One folder in which the loader looks for a library.
struct SearchElement: Hashable, Sendable {
  /// The absolute path of the folder, or one relative to the current folder.
  let folder: String
  /// Whether it is `$ORIGIN` itself, which is another folder for a copy.
  let isOrigin: Bool

  /// Creates an element that leads to one folder, without tokens.
  init(folder: String) {
    self.folder = folder
    isOrigin = false
  }

  /// Reads an element of a `DT_RUNPATH` or `DT_RPATH`.
  ///
  /// - Throws: why it is not known beforehand which folder it leads to.
  init(_ text: String, origin: String) throws(Rejection) {
    // The loader treats an empty element as the current folder.
    guard !text.isEmpty else { throw .relativeSearchPath(text) }
    folder = Self.trimmed(try DynamicStringTokens(origin: origin).expand(text))
    isOrigin = ["$ORIGIN", "${ORIGIN}"].contains(Self.trimmed(text))
    guard text.hasPrefix("/") || folder.hasPrefix(origin) && text.hasPrefix("$") else {
      throw .relativeSearchPath(text)
    }
  }

  /// Without slashes at the end, as in glibc.
  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  func path(of library: String) -> String {
    folder.hasSuffix("/") ? folder + library : folder + "/" + library
  }
}

/// Expands the tokens `$ORIGIN`, `$LIB` and `$PLATFORM` in the paths of an ELF file; see ld.so(8).
struct DynamicStringTokens {
  /// The folder of the file that contains the path.
  let origin: String

  private static let names = ["ORIGIN", "LIB", "PLATFORM"]

  /// Replaces the tokens in a text; names that only begin like a token stay as they are.
  ///
  /// - Throws: for `$LIB` and `$PLATFORM`, which each system's loader expands differently.
  func expand(_ text: String) throws(Rejection) -> String {
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      guard let (name, length) = Self.token(at: rest) else {
        result += "$"
        continue
      }
      guard name == "ORIGIN" else {
        throw Rejection(
          .pluginSearchPath,
          "it searches for libraries at '\(text)', and each system reads '$\(name)' in its own way")
      }
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
      if !(next.map(PluginLocator.isNameByte) ?? false) { return (name, name.count) }
    }
    return nil
  }
}

extension Rejection {
  /// An element of the search path leads to the current folder, or is relative to it.
  static func relativeSearchPath(_ element: String) -> Rejection {
    Rejection(
      .pluginSearchPath,
      element.isEmpty
        ? "its search path for libraries has an empty element, which is the current folder"
        : "it searches for libraries at '\(element)', which depends on the current folder")
  }
}
