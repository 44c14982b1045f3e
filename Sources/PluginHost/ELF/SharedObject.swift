internal import Glibc
internal import Support

/// A program or library that another program may bring along: what it needs, and where it looks.
///
/// Read as data, with the checks of every plugin; nothing of it runs.
package struct SharedObject: Sendable {
  package let path: String
  package private(set) var bytes: [UInt8]
  /// What its tables state; it need not be a plugin.
  package let metadata: PluginMetadata
  /// The versions of symbols that it needs of each library, such as `GLIBC_2.34` of `libc.so.6`.
  package let neededVersions: [String: [String]]
  /// Where the search path is in the bytes.
  private let searchPathRange: Range<Int>?
  /// Where the compiler's digests are in the bytes.
  private let moduleDigestRanges: [Range<Int>]

  /// Reads a file.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/read``.
  package init(path: String) throws(PluginError) {
    let (buffer, _, _) = try FileReader(path: path).read()
    defer { buffer.deallocate() }
    try self.init(Array(buffer), path: path)
  }

  /// Reads bytes, which are called by a path.
  package init(_ bytes: [UInt8], path: String) throws(PluginError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(Rejection) in try SharedObject(bytes, path, buffer) }
    }
    self = try result.mapError { PluginError(.read, path: path, $0) }.get()
  }

  private init(
    _ bytes: [UInt8], _ path: String, _ buffer: UnsafeRawBufferPointer
  ) throws(Rejection) {
    self.path = path
    self.bytes = bytes
    let file = try ELFFile(buffer, allowsPrograms: true)
    searchPathRange = try file.searchPathRange
    moduleDigestRanges = try file.sections(named: ".swift_modhash")
    neededVersions = file.neededVersions
    metadata = try PluginMetadata(file)
  }

  /// The folders of the search path that depend on where the file is, and one more where there is room.
  ///
  /// What is written takes the place of the old path, so it can't be longer. Folders of the machine on
  /// which the file was built are left out.
  ///
  /// - Returns: the file with that search path; itself where it has none.
  /// - Throws: where the file is not whole any more, which can't be.
  package func searching(_ folder: String) throws(PluginError) -> SharedObject {
    guard let searchPathRange else { return self }
    let relative = metadata.runpath.filter { $0.hasPrefix("$ORIGIN") || $0.hasPrefix("${ORIGIN}") }
    var path = (relative.contains(folder) ? relative : relative + [folder]).joined(separator: ":")
    if path.utf8.count > searchPathRange.count { path = relative.joined(separator: ":") }
    // It may be longer than the bytes from which it was decoded, if those are not UTF-8.
    guard path.utf8.count <= searchPathRange.count else { return self }
    var copy = self.bytes
    copy.replaceSubrange(
      searchPathRange,
      with: Array(path.utf8)
        + [UInt8](repeating: 0, count: searchPathRange.count - path.utf8.count))
    let result = try SharedObject(copy, path: self.path)
    // The end of the path may also be the end of a name, of which it must not take anything.
    let (old, new) = (metadata, result.metadata)
    let isSame = (new.needed, new.soname, new.names) == (old.needed, old.soname, old.names)
    return isSame ? result : self
  }

  /// The file with nothing in the sections where the compiler writes a digest of what it was called
  /// with, which tells it whether to write an object again; nothing reads them when it runs.
  package var withoutModuleDigests: SharedObject {
    var copy = self
    for range in moduleDigestRanges {
      copy.bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    return copy
  }
}
