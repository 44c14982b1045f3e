internal import AppCheck
internal import Manifest
internal import PluginHost
internal import Support

/// An app's folder: a manifest, the folders of its plugins' sources, and the scripts that test it.
///
/// Its life, in this order:
/// 1. ``init(_:)`` finds the manifest: a given one, or the only one in a folder.
/// 2. ``plugins(options:)`` reads it without loading plugins, and lists those that it names by
///    folder.
/// 3. ``PluginBuild`` builds them, and ``test(options:arguments:willRun:report:)`` runs all tests.
struct Workspace: Sendable {
  let manifest: String
  var folder: String { FilePath.folder(of: manifest) }

  /// The name of the workspace's manifest in a folder with several.
  static let manifestFile = "app.yaml"

  /// Finds the workspace of a manifest or a folder; `nil` for the working directory.
  ///
  /// - Throws: ``CommandError`` if the folder has no manifest, or several.
  init(_ path: String?) throws(CommandError) {
    if let path, !FilePath.isFolder(path) {
      manifest = path
      return
    }
    let folder = path ?? "."
    let own = FilePath.join(folder, Self.manifestFile)
    guard FilePath.resolved(own) == nil else {
      manifest = own
      return
    }
    let found = Self.manifests(in: folder)
    let title = folder == "." ? "this folder" : "the folder '\(folder)'"
    guard found.count < 2 else {
      throw CommandError(
        "\(title) has \(found.count) manifests: \(found.joined(separator: ", ")); name the one that is "
          + "meant")
    }
    guard let name = found.first else {
      throw CommandError(
        "\(title) has no manifest of an app; name one, or create an app with `appcore new console`",
        exitStatus: 66)
    }
    manifest = FilePath.join(folder, name)
  }

  /// The manifests of apps in a folder: files that have `appcore` and `start`.
  private static func manifests(in folder: String) -> [String] {
    (FilePath.names(in: folder) ?? []).sorted().filter { name in
      guard name.hasSuffix(".yaml") || name.hasSuffix(".yml"), !name.hasPrefix("."),
        let bytes = try? ManifestLoader.bytes(ofFile: FilePath.join(folder, name))
      else { return false }
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      return ["appcore:", "start:"].allSatisfy { key in
        lines.contains { $0.starts(with: key.utf8) }
      }
    }
  }

  /// The plugins that the manifest names by their folders, each once, in its order.
  ///
  /// - Throws: ``AppLoadError`` if it can't be read or has errors.
  func plugins(options: AppOptions) throws(AppLoadError) -> [WorkspacePlugin] {
    var options = options
    options.leavesOutPlugins = true
    options.allowsUnsetVariables = true
    let report = try ManifestReport(manifest, options: options)
    guard !report.hasErrors, let manifest = report.manifest else { throw .problems(report) }
    var seen: Set<String> = []
    return manifest.plugins.compactMap { plugin in
      // A missing folder is listed, too, and reported when it is built.
      guard case .path(let path, _) = plugin.reference, !path.hasSuffix(".so"),
        FilePath.isFolder(path) || FilePath.resolved(path) == nil,
        seen.insert(FilePath.resolved(path) ?? path).inserted
      else { return nil }
      return WorkspacePlugin(
        name: PluginFolder.name(at: path) ?? FilePath.name(of: path), folder: path)
    }
  }

  /// The scripts that test the app: `tests/*.script`, sorted.
  var scripts: [String] {
    let folder = FilePath.join(folder, "tests")
    return (FilePath.names(in: folder) ?? []).filter { $0.hasSuffix(".script") }.sorted()
      .map { FilePath.join(folder, $0) }
  }
}

/// A plugin that a manifest names by the folder of its sources.
struct WorkspacePlugin: Hashable, Sendable {
  /// The plugin's name, or the folder's if the sources don't declare one.
  let name: String
  let folder: String

  /// Whether the folder has tests that `swift test` runs; an empty `Tests/NAME` has none.
  var hasTests: Bool {
    FilePath.resolved(folder + "/Package.swift") != nil && Self.hasSources(folder + "/Tests")
  }

  private static func hasSources(_ folder: String, depth: Int = 0) -> Bool {
    (FilePath.names(in: folder) ?? []).contains { name in
      guard !name.hasPrefix("."), depth < 16 else { return false }
      return name.hasSuffix(".swift") || hasSources(folder + "/" + name, depth: depth + 1)
    }
  }
}
