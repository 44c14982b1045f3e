internal import AppCheck
internal import AppCore
internal import Diagnostics
internal import Support

/// What a bundle says of itself, in `share/NAME/bundle.json`.
struct BundleDescription: Sendable {
  /// The version of this form.
  static let format = 1
  static let fileName = "bundle.json"

  /// The app's name.
  let name: String
  /// The app's version; `nil` where its manifest gives none.
  let version: String?
  /// The manifest's file, beside this one.
  let manifest: String
  /// The version of the appcore that made the bundle.
  let appcore: String
  /// The processor that its libraries are for.
  let architecture: String
  /// Whether it has the host and the libraries of Swift.
  let hasRuntime: Bool

  /// The folder of the app's own files in a bundle.
  var folder: String { "share/" + name }

  /// The processor of this machine, as `uname -m` names it.
  #if arch(x86_64)
    static let architecture = "x86_64"
  #elseif arch(arm64)
    static let architecture = "aarch64"
  #endif

  var text: String {
    let tree: JSONTree = [
      ("bundle", .int(Self.format)), ("name", .string(name)),
      ("version", version.map { .string($0) } ?? .null), ("manifest", .string(manifest)),
      ("appcore", .string(appcore)), ("architecture", .string(architecture)),
      ("runtime", .bool(hasRuntime)),
    ].tree
    return tree.text
  }
}

extension BundleDescription {
  /// The description of the bundle in a folder; `nil` where it is not one.
  static func find(in folder: String) -> (description: BundleDescription, path: String)? {
    let share = folder + "/share"
    let found = (FilePath.names(in: share) ?? []).sorted().compactMap { name in
      let path = "\(share)/\(name)/\(fileName)"
      return (try? read(path, name: name)).map { ($0, path) }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: the app's name, by the folder.
  /// - Returns: the description.
  /// - Throws: ``BundleError`` where it is not one.
  static func read(_ path: String, name: String) throws(BundleError) -> BundleDescription {
    let bytes = try BundleError.reporting(path) { () throws(SystemError) in
      try WholeFile.read(path, limit: 1 << 16)
    }
    func refuse(_ message: String) -> BundleError { BundleError(path, .bundleDamaged, message) }
    guard bytes.count <= 1 << 16, let value = try? Value(json: bytes) else {
      throw refuse("it is not the JSON that describes a bundle")
    }
    guard value["bundle"] == .int(format) else {
      throw refuse("it is in a form that this appcore does not know; it knows form \(format)")
    }
    func text(_ key: String) -> String? {
      if case .string(let text)? = value[key] { text } else { nil }
    }
    guard let manifest = text("manifest"), !manifest.contains("/"), text("name") == name,
      let appcore = text("appcore"), let architecture = text("architecture")
    else { throw refuse("a field is missing or wrong") }
    return BundleDescription(
      name: name, version: text("version"), manifest: manifest, appcore: appcore,
      architecture: architecture, hasRuntime: value["runtime"] == .bool(true))
  }
}
