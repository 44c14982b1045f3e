internal import Glibc
internal import Support

/// The sources of one plugin, with their digests and the entries that they name.
struct PluginSources {
  struct Entry: Hashable {
    let name: String
    /// The path, relative to the folder.
    let file: String
    /// Counted from 1.
    let line: Int
  }

  let folder: SourceFolder
  /// In the order of the files.
  let digests: [ContentDigest]
  /// The occurrences of `appcore_plugin_<Name>`, except in lines that begin with `//`.
  private let entries: [Entry]

  private static let prefix = Array("\(PluginMetadata.entryPrefix)".utf8)

  init(_ folder: SourceFolder) throws(Rejection) {
    self.folder = folder
    var digests: [ContentDigest] = []
    var entries: [Entry] = []
    for file in folder.files {
      let path = folder.path + "/" + file
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try WholeFile.read(path) } catch {
        throw .fileRefused(path: path, error: error.code)
      }
      digests.append(bytes.withUnsafeBytes { ContentDigest($0) })
      entries += Self.entries(in: bytes, file: file)
    }
    self.digests = digests
    self.entries = entries
  }

  /// The plugin's name: that of its module's folder, else that of its entry.
  ///
  /// - Throws: a rejection if the sources name no entry, several, or one of another name; so the
  ///   compiler need not run.
  func name() throws(Rejection) -> String {
    guard let first = entries.first else {
      throw Rejection(
        .pluginSourceNoEntry,
        "no 'appcore_plugin_<Name>' is in its \(counted(folder.files.count, "source"))")
    }
    let names = Set(entries.map(\.name)).sorted()
    let expected = folder.module ?? folder.path.split(separator: "/").last.map(String.init)
    if let expected, names.contains(expected) {
      return try Self.checked(expected)
    }
    if let module = folder.module {
      let file = folder.shown(folder.path + "/" + first.file)
      throw Rejection(
        .pluginSourceOtherName,
        "\(file):\(first.line): the entry is named for '\(first.name)', and the module is "
          + "'\(module)'",
        remedy: "name the entry 'appcore_plugin_\(module)', or rename the folder of the sources")
    }
    guard names.count == 1 else {
      throw Rejection(
        .pluginSourceSeveralEntries, "its sources name \(names.count) entries instead of one",
        details: names.map { "entry: appcore_plugin_\($0)" })
    }
    return try Self.checked(first.name)
  }

  private static func checked(_ name: String) throws(Rejection) -> String {
    guard PluginLocator.isName(name) else {
      throw Rejection(
        .pluginSourceOtherName, "'\(name)' can't be the name of a plugin",
        remedy: "a name is letters, digits and `_`, and does not begin with a digit")
    }
    return name
  }

  func place(of name: String) -> Entry? { entries.first { $0.name == name } }

  private static func entries(in bytes: [UInt8], file: String) -> [Entry] {
    guard let head = prefix.first else { return [] }
    var found: [Entry] = []
    for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated()
    {
      let text = line.drop { $0 == 0x20 || $0 == 0x09 }
      if text.starts(with: "//".utf8) { continue }
      var rest = text
      while let position = rest.firstIndex(of: head) {
        rest = rest[position...]
        if rest.starts(with: prefix) {
          let name = rest.dropFirst(prefix.count).prefix(while: isNameByte)
          if !name.isEmpty {
            found.append(
              Entry(name: String(decoding: name, as: UTF8.self), file: file, line: index + 1))
          }
        }
        rest = rest.dropFirst()
      }
    }
    return found
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    PluginLocator.isNameByte(byte) || byte >= 0x80
  }
}
