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
  /// - Parameters:
  ///   - text: the element as it is in the file.
  ///   - origin: the folder of the file.
  /// - Throws: why it is not known beforehand which folder it leads to.
  init(_ text: String, origin: String) throws(Rejection) {
    // The loader treats an empty element as the current folder.
    guard !text.isEmpty else { throw .relativeSearchPath(text) }
    do throws(DynamicStringTokens.Unresolved) {
      folder = Self.trimmed(try DynamicStringTokens(origin: origin).expand(text))
    } catch {
      throw .searchPath(text, token: error.token)
    }
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

  /// The path of a library in the folder.
  func path(of library: String) -> String {
    folder.hasSuffix("/") ? folder + library : folder + "/" + library
  }
}
