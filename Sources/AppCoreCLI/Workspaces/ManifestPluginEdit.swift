internal import AppCheck
internal import Manifest
internal import PluginHost
internal import Support

/// Adds a plugin to a manifest's list or removes one, and changes nothing else in the manifest.
///
/// If the list doesn't have one plugin on each line, it writes nothing, and the user edits the list.
enum ManifestPluginEdit {
  /// The line that names a plugin by its folder.
  static func line(folder: String) -> String { "  - { path: \(folder) }" }

  /// Adds a plugin by the path of its folder from the manifest's; returns whether it did.
  static func add(
    folder: String, to workspace: Workspace, options: AppOptions
  ) -> Bool {
    let path = workspace.manifest
    guard let bytes = Self.bytes(ofFile: path), let before = manifest(bytes, path, options),
      let last = before.plugins.last
    else { return false }
    var lines = Self.lines(of: bytes)
    guard let (entry, dash) = Self.entry(of: last, in: lines) else { return false }
    let margin = String(repeating: " ", count: dash)
    lines.insert(Array("\(margin)- { path: \(folder) }".utf8), at: entry.upperBound)
    let edited = joined(lines)
    guard let after = manifest(edited, path, options),
      after.plugins.count == before.plugins.count + 1,
      after.plugins.dropLast().map(\.reference) == before.plugins.map(\.reference),
      case .path(_, folder)? = after.plugins.last?.reference,
      (try? FileReplacement.write(edited, to: path)) != nil
    else { return false }
    return true
  }

  /// Removes the plugin `name`, which the manifest gives by its name or by its path.
  ///
  /// - Throws: ``CommandError`` if the manifest lists no such plugin, or can't be read, or the plugin is
  ///   not on lines of its own.
  static func remove(
    _ name: String, from workspace: Workspace, options: AppOptions
  ) throws(CommandError) {
    let path = workspace.manifest
    let isNotEditable = CommandError(
      "can't edit \(path): remove '\(name)' from `plugins:` by hand", exitStatus: 65)
    guard let bytes = Self.bytes(ofFile: path), let before = manifest(bytes, path, options) else {
      throw isNotEditable
    }
    guard let index = before.plugins.firstIndex(where: { $0.suggestedName == name }) else {
      let listed = before.plugins.map(\.suggestedName)
      let hint =
        NearestName.of(name, among: listed).map { "did you mean '\($0)'?" }
        ?? "it lists \(listed.isEmpty ? "none" : listed.joined(separator: ", "))"
      throw CommandError("\(path) lists no plugin '\(name)'; \(hint)", exitStatus: 65)
    }
    var lines = Self.lines(of: bytes)
    guard let (entry, _) = Self.entry(of: before.plugins[index], in: lines) else {
      throw isNotEditable
    }
    lines.removeSubrange(entry)
    let edited = joined(lines)
    var rest = before.plugins.map(\.reference)
    rest.remove(at: index)
    guard let after = manifest(edited, path, options), after.plugins.map(\.reference) == rest,
      (try? FileReplacement.write(edited, to: path)) != nil
    else { throw isNotEditable }
  }

  private static func bytes(ofFile path: String) -> [UInt8]? {
    guard let bytes = try? ManifestLoader.bytes(ofFile: path), UTF8Text.isWhole(bytes) else {
      return nil
    }
    return bytes
  }

  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
  }

  private static func joined(_ lines: [[UInt8]]) -> [UInt8] {
    Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// The indexes of the lines of a plugin, and the column of its dash; `nil` if it does not begin
  /// its line, after a dash.
  private static func entry(
    of plugin: Manifest.Plugin, in lines: [[UInt8]]
  ) -> (lines: Range<Int>, dash: Int)? {
    let range = plugin.range
    let first = range.start.line - 1
    guard range.file == 0, lines.indices.contains(first), range.end.line - 1 >= first,
      let dash = lines[first].firstIndex(of: UInt8(ascii: "-")),
      lines[first][..<dash].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return nil }
    // The range of a map without braces ends where the next item begins.
    var end = range.end.line - 1
    if range.end.column == 1
      || lines[min(end, lines.count - 1)].prefix(range.end.column - 1)
        .allSatisfy({ $0 == UInt8(ascii: " ") }),
      end > first
    {
      end -= 1
    }
    end = min(end, lines.count - 1)
    while end > first, lines[end].allSatisfy({ $0 == UInt8(ascii: " ") }) { end -= 1 }
    return (first..<end + 1, dash)
  }

  private static func manifest(
    _ bytes: [UInt8], _ path: String, _ options: AppOptions
  ) -> Manifest? {
    let environment = options.environment
    let loader = ManifestLoader(
      options: .init(settings: options.settings, environment: { environment[$0] }))
    let result = loader.load(bytes, path: path)
    return result.isComplete ? result.manifest : nil
  }
}

extension UTF8Text {
  /// Whether bytes are UTF-8 without a byte order mark of another encoding.
  fileprivate static func isWhole(_ bytes: [UInt8]) -> Bool {
    !bytes.starts(with: [0xEF, 0xBB, 0xBF]) && String(validating: bytes, as: UTF8.self) != nil
  }
}
