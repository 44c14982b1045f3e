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
  static func add(folder: String, to workspace: Workspace) -> Bool {
    guard let (former, before) = read(workspace), let last = before.plugins.last,
      let (entry, dash) = Self.entry(of: last, in: former)
    else { return false }
    var lines = former
    let margin = String(repeating: " ", count: dash)
    lines.insert(Array("\(margin)- { path: \(folder) }".utf8), at: entry.upperBound)
    return write(lines, to: workspace) { plugins in
      guard case .path(_, folder)? = plugins.last else { return false }
      return plugins.dropLast() == before.plugins.map(\.reference)[...]
    }
  }

  /// Removes the plugin `name`, which the manifest gives by its name or by its path.
  ///
  /// - Throws: ``CommandError`` if the manifest lists no such plugin, or can't be read, or the plugin is
  ///   not on lines of its own.
  static func remove(_ name: String, from workspace: Workspace) throws(CommandError) {
    let path = workspace.manifest
    let isNotEditable = CommandError(
      "can't edit \(path): remove '\(name)' from `plugins:` by hand", exitStatus: 65)
    guard let (former, before) = read(workspace) else { throw isNotEditable }
    guard let index = before.plugins.firstIndex(where: { $0.suggestedName == name }) else {
      let listed = before.plugins.map(\.suggestedName)
      let hint =
        NearestName.of(name, among: listed).map { "did you mean '\($0)'?" }
        ?? "it lists \(listed.isEmpty ? "none" : listed.joined(separator: ", "))"
      throw CommandError("\(path) lists no plugin '\(name)'; \(hint)", exitStatus: 65)
    }
    guard let (entry, _) = Self.entry(of: before.plugins[index], in: former) else {
      throw isNotEditable
    }
    var lines = former
    lines.removeSubrange(entry)
    var rest = before.plugins.map(\.reference)
    rest.remove(at: index)
    guard write(lines, to: workspace, if: { $0 == rest }) else { throw isNotEditable }
  }

  /// Reads a manifest in UTF-8 without a byte order mark; `nil` for any other.
  private static func read(_ workspace: Workspace) -> (lines: [[UInt8]], manifest: Manifest)? {
    guard let bytes = try? ManifestLoader.bytes(ofFile: workspace.manifest),
      !bytes.starts(with: [0xEF, 0xBB, 0xBF]), String(validating: bytes, as: UTF8.self) != nil,
      let manifest = manifest(bytes, workspace)
    else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.map(Array.init), manifest)
  }

  /// Writes a manifest if its plugins are as expected; returns whether it did.
  private static func write(
    _ lines: [[UInt8]], to workspace: Workspace,
    if isExpected: ([Manifest.Plugin.Reference]) -> Bool
  ) -> Bool {
    let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    guard let plugins = manifest(bytes, workspace)?.plugins, isExpected(plugins.map(\.reference))
    else { return false }
    return (try? FileReplacement.write(bytes, to: workspace.manifest)) != nil
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

  private static func manifest(_ bytes: [UInt8], _ workspace: Workspace) -> Manifest? {
    let result = ManifestLoader().load(bytes, path: workspace.manifest)
    return result.isComplete ? result.manifest : nil
  }
}
