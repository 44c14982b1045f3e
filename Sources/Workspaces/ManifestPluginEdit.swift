public import AppCheck
internal import Diagnostics
internal import Manifest
internal import Support

/// Adds a plugin to a manifest's list, and changes nothing else in the manifest.
///
/// If the list doesn't have one plugin on each line, it writes nothing, and the user adds the line.
public enum ManifestPluginEdit {
  /// The line that names a plugin by its folder.
  public static func line(folder: String) -> String { "  - { path: \(folder) }" }

  /// Adds a plugin that is in a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder, as a path relative to the manifest's.
  ///   - workspace: the app.
  ///   - options: the options for reading the manifest.
  /// - Returns: whether the manifest was changed.
  public static func add(
    folder: String, to workspace: Workspace, options: AppOptions
  ) -> Bool {
    let path = workspace.manifest
    guard let bytes = try? ManifestLoader.bytes(ofFile: path), UTF8Text.isWhole(bytes),
      let before = manifest(bytes, path, options), let last = before.plugins.last,
      last.range.file == 0
    else { return false }
    var lines = bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map(Array.init)
    let first = last.range.start.line - 1
    // The last plugin must begin its line, after a dash.
    guard lines.indices.contains(first), last.range.end.line - 1 >= first,
      let dash = lines[first].firstIndex(of: UInt8(ascii: "-")),
      lines[first][..<dash].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return false }
    // The range of a map without braces ends where the next item begins.
    var end = last.range.end.line - 1
    if last.range.end.column == 1, end > first { end -= 1 }
    while end > first, lines[end].allSatisfy({ $0 == UInt8(ascii: " ") }) { end -= 1 }
    let margin = String(repeating: " ", count: dash)
    lines.insert(Array("\(margin)- { path: \(folder) }".utf8), at: end + 1)
    let edited = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    guard let after = manifest(edited, path, options),
      after.plugins.count == before.plugins.count + 1,
      after.plugins.dropLast().map(\.reference) == before.plugins.map(\.reference),
      case .path(_, folder)? = after.plugins.last?.reference,
      (try? FileReplacement.write(edited, to: path)) != nil
    else { return false }
    return true
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
