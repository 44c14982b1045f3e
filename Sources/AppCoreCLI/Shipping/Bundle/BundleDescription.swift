internal import AppCheck
internal import AppCore
internal import Support

/// The metadata of a bundle, in its file `share/NAME/bundle.json`.
struct BundleDescription: Sendable {
  /// The version of the file's format.
  static let format = 1
  static let fileName = "bundle.json"

  /// The app's name.
  let name: String
  /// The app's version; `nil` if its manifest has none.
  let version: String?
  /// The name of the manifest's file, in the same folder.
  let manifest: String
  /// The version of the appcore that made the bundle.
  let appcore: String
  /// The processor architecture of its libraries, as `uname -m` names it.
  let architecture: String
  /// Whether the bundle contains the host and the Swift libraries.
  let hasRuntime: Bool

  /// The folder with the manifest and this file, as a path from the bundle's folder.
  var folder: String { "share/" + name }

  /// The architecture of this program, as `uname -m` names it.
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

  /// The description of the bundle in a folder, and its path; `nil` if the folder is not a bundle.
  static func find(in folder: String) -> (description: BundleDescription, path: String)? {
    try? read(in: folder, of: folder)
  }

  /// Reads the description of the bundle in a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - bundle: the name of the bundle in messages.
  /// - Returns: the description, and its path.
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

  /// The reason why bytes are not a valid description, to follow the file's name in a sentence.
  struct Misfit: Error {
    let reason: String
  }

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the name of the file's folder, which has to be the app's name.
  /// - Throws: ``Misfit`` if it is not valid.
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
