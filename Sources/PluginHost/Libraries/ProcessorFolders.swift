internal import Support

/// The subfolders that the loader searches before the folder itself: builds of libraries for kinds of
/// processors.
///
/// Each version of glibc and each processor uses some of them. Here all of them count.
enum ProcessorFolders {
  /// The names that glibc used before 2.37; they may be nested.
  private static let former = [
    "aarch64", "atomics", "avx512_1", "haswell", "tls", "x86_64", "xeon_phi",
  ]

  /// The path of a library in such a subfolder; `nil` if there is none.
  ///
  /// - Complexity: some system calls for each subfolder that exists.
  static func path(of library: String, in folder: String) -> String? {
    let capabilities = folder + "/glibc-hwcaps"
    let names = (FilePath.names(in: capabilities) ?? []).sorted()
    return names.lazy.map { "\(capabilities)/\($0)/\(library)" }.first(where: isThere)
      ?? formerPath(of: library, in: folder, depth: 4)
  }

  // The loader combines at most four of the names.
  private static func formerPath(of library: String, in folder: String, depth: Int) -> String? {
    guard depth > 0 else { return nil }
    for name in former {
      let inner = folder + "/" + name
      guard isThere(inner) else { continue }
      let path = inner + "/" + library
      if isThere(path) { return path }
      if let path = formerPath(of: library, in: inner, depth: depth - 1) { return path }
    }
    return nil
  }

  private static func isThere(_ path: String) -> Bool { PluginFile.identity(of: path) != nil }
}
