internal import AppCheck
internal import AppCore
internal import Manifest
internal import Support

/// The metadata of a bundle, in its file `share/NAME/bundle.json`.
struct BundleDescription: Sendable {
  static let format = 1
  static let fileName = "bundle.json"

  let name: String
  /// The app's version; `nil` if its manifest has none.
  let version: String?
  let manifest: String
  /// The version of the appcore that made the bundle.
  let appcore: String
  /// The processor architecture of its libraries, as `uname -m` names it.
  let architecture: String
  /// Whether the bundle contains the host and the Swift libraries.
  let hasRuntime: Bool

  /// The folder with the manifest and this file, as a path from the bundle's folder.
  var folder: String { "share/" + name }

  var text: String {
    let tree: JSONTree = [
      "bundle": .int(Self.format), "name": .string(name), "version": JSONTree(version),
      "manifest": .string(manifest), "appcore": .string(appcore),
      "architecture": .string(architecture), "runtime": .bool(hasRuntime),
    ]
    return tree.text
  }
}

extension BundleDescription {
  private static let sizeLimit = 1 << 16

  /// Reads the description of the bundle in a folder, which messages call `bundle`.
  ///
  /// - Throws: ``BundleError`` if the folder is not a bundle.
  static func read(
    in folder: String, of bundle: String
  ) throws(BundleError) -> (description: BundleDescription, path: String) {
    let names = (FilePath.names(in: folder + "/share") ?? []).sorted().filter {
      FilePath.resolved("\(folder)/share/\($0)/\(fileName)") != nil
    }
    guard let name = names.first, names.count == 1 else {
      throw BundleError(
        bundle, .bundleDamaged,
        names.isEmpty
          ? "'share/NAME/\(fileName)' is missing"
          : "there are several descriptions: 'share/\(names[0])/\(fileName)' and "
            + "'share/\(names[1])/\(fileName)'")
    }
    let path = "\(folder)/share/\(name)/\(fileName)"
    let bytes = try BundleError.read(path, limit: sizeLimit)
    return (try BundleDescription(bytes, name: name, of: bundle), path)
  }

  /// Reads a description from a folder whose name has to be the app's.
  init(_ bytes: [UInt8], name: String, of bundle: String) throws(BundleError) {
    func damaged(_ reason: String) -> BundleError {
      BundleError(bundle, .bundleDamaged, "'share/\(name)/\(Self.fileName)' \(reason)")
    }
    guard bytes.count <= Self.sizeLimit, let value = try? Value(json: bytes) else {
      throw damaged("is not JSON")
    }
    guard value["bundle"] == .int(Self.format) else {
      throw damaged("is in a form that this appcore does not know; it knows \(Self.format)")
    }
    guard let manifest = value["manifest"]?.text, !manifest.contains("/"),
      value["name"]?.text == name, let appcore = value["appcore"]?.text,
      let architecture = value["architecture"]?.text
    else { throw damaged("lacks a field, or has a wrong one") }
    self.init(
      name: name, version: value["version"]?.text, manifest: manifest, appcore: appcore,
      architecture: architecture, hasRuntime: value["runtime"] == .bool(true))
  }

  /// The launcher of the app: a shell script that runs the host with the app's manifest.
  ///
  /// `--version` as its first argument prints the app's version, and `--help` its variables and links
  /// before the options of `appcore run`. The script resolves links to itself, but keeps links in the
  /// path of the bundle's folder: if that path contains a link such as `current`, a running app finds
  /// the new bundle when the link changes.
  func launcher(of manifest: Manifest?) -> String {
    let host =
      hasRuntime
      ? "host=$root/bin/appcore"
      : """
      host=$(command -v appcore) || {
        echo "\(name): there is no 'appcore' on the PATH; install appcore \(appcore)" >&2
        exit 69
      }
      """
    return String(
      PackageResources.launcher_sh,
      [
        "name": name, "title": shellWord(title), "help": help(manifest).joined(separator: "\n"),
        "host": host, "folder": folder, "manifest": shellWord(self.manifest),
      ])
  }

  var title: String { [name, version].compactMap { $0 }.joined(separator: " ") }

  /// The app's own part of the help, without lines that could end it.
  private func help(_ manifest: Manifest?) -> [String] {
    func section(_ title: String, _ rows: [String]) -> [String] {
      rows.isEmpty ? [] : [title] + rows + [""]
    }
    let variables = (manifest?.variables ?? []).map { variable in
      "  --set \(variable.name.value)=<value>"
        + (variable.environment.map { "   (or the environment variable \($0.value))" } ?? "")
    }
    let links = (manifest?.links ?? []).map { "  --open \($0.path.text)" }
    let lead = title + (manifest?.title.map { ": " + $0.value } ?? "")
    let lines = [lead, "", "USAGE: \(name) [<option> ...]", ""]
    return (lines + section("VARIABLES:", variables) + section("LINKS:", links))
      .map { SafeText.line($0) }
  }
}
