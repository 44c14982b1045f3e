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
  private static let sizeLimit = 1 << 16

  /// The description of the bundle in a folder; `nil` where it is not one.
  static func find(in folder: String) -> (description: BundleDescription, path: String)? {
    try? read(in: folder, of: folder)
  }

  /// Reads the description of the bundle in a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - bundle: what the bundle is called in messages.
  /// - Returns: the description, and its path.
  /// - Throws: ``BundleError`` where the folder is not a bundle.
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
    let part = "share/\(name)/\(fileName)"
    let path = folder + "/" + part
    let bytes = try BundleError.reporting(path) { () throws(SystemError) in
      try WholeFile.read(path, limit: sizeLimit)
    }
    do throws(Misfit) {
      return (try BundleDescription(bytes, name: name), path)
    } catch {
      throw BundleError(bundle, .bundleDamaged, "'\(part)' \(error.reason)")
    }
  }

  /// Why bytes are not a description, as the end of a sentence.
  struct Misfit: Error {
    let reason: String
  }

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - name: the app's name, by the folder.
  /// - Throws: why it is not one.
  init(_ bytes: [UInt8], name: String) throws(Misfit) {
    guard bytes.count <= Self.sizeLimit, let value = try? Value(json: bytes) else {
      throw Misfit(reason: "is not JSON")
    }
    guard value["bundle"] == .int(Self.format) else {
      throw Misfit(reason: "is in a form that this appcore does not know; it knows \(Self.format)")
    }
    func text(_ key: String) -> String? {
      if case .string(let text)? = value[key] { text } else { nil }
    }
    guard let manifest = text("manifest"), !manifest.contains("/"), text("name") == name,
      let appcore = text("appcore"), let architecture = text("architecture")
    else { throw Misfit(reason: "lacks a field, or has a wrong one") }
    self.init(
      name: name, version: text("version"), manifest: manifest, appcore: appcore,
      architecture: architecture, hasRuntime: value["runtime"] == .bool(true))
  }
}
