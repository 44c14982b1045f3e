package import Support

/// The files that an app consisted of when it was locked: the contents of `appcore.lock`.
///
/// Its life, in this order:
/// 1. it is made from an app without problems, and written beside the manifest (``text``).
/// 2. the builds of other machines are added to it (``adding(_:)``).
/// 3. it may be signed (``SignatureCheck/sign(_:key:environment:)``).
/// 4. at each start it is read (``LockReader``), its signature is verified if the policy requires
///    one (``SignatureCheck``), and each plugin is compared with it before it is loaded
///    (``LockEnforcement/check(_:_:isNamed:)``).
///
/// It contains no absolute path, and of the machine only the architecture.
package struct AppLock: Hashable, Sendable {
  /// The file's name; it is beside the manifest.
  package static let fileName = "appcore.lock"
  /// The version of the file's format, which is in its first line.
  ///
  /// Format 1 has no paths of plugins, and is read.
  package static let format = 2

  package var app: String
  /// The app's version in the manifest, if there is one.
  package var version: String?
  package var manifest: File
  /// The digests of the files that it includes, by path.
  package var includes: [String: SHA256]
  package var plugins: [String: Plugin]

  package init(
    app: String, version: String?, manifest: File, includes: [String: SHA256] = [:],
    plugins: [String: Plugin] = [:]
  ) {
    self.app = app
    self.version = version
    self.manifest = manifest
    self.includes = includes
    self.plugins = plugins
  }

  package struct File: Hashable, Sendable {
    /// Its path from the folder of the manifest.
    package var path: String
    package var digest: SHA256

    package init(path: String, digest: SHA256) {
      self.path = path
      self.digest = digest
    }
  }

  package struct Plugin: Hashable, Sendable {
    package var version: String
    /// Its builds: one for each target.
    package var builds: [Target: PluginDigests]
    /// Whether the manifest names its folder of sources instead of a file.
    package var isFolder: Bool
    /// The path that the manifest gives, from its own folder.
    ///
    /// `nil` if it names the plugin instead, whose file may be anywhere; if the path leads out of
    /// the folder; if a line can't contain it; or if the lock is of format 1.
    package var path: String?

    package init(
      version: String, builds: [Target: PluginDigests] = [:], isFolder: Bool = false,
      path: String? = nil
    ) {
      self.version = version
      self.builds = builds
      self.isFolder = isFolder
      self.path = path
    }
  }

  /// The machines that a build of a plugin is for.
  package struct Target: Hashable, Sendable {
    /// The machine's architecture, as `uname -m` prints it.
    package var architecture: String
    /// The contract that it was compiled against, such as `1_swift_6_3_1`.
    package var contract: String
  }
}

extension AppLock {
  /// The first text that a line can't contain; `nil` if the lock can be written.
  package var firstBadText: String? {
    let texts = [app] + (version.map { [$0] } ?? []) + plugins.values.map(\.version)
    let files =
      files.keys + plugins.values.compactMap(\.path)
      + plugins.values.flatMap { $0.builds.values.flatMap(\.libraries.keys) }
    return texts.filter { !Self.isText($0) }.min() ?? files.filter { !Self.isPath($0) }.min()
  }

  package static func path(ofManifest path: String) -> String {
    FilePath.join(FilePath.folder(of: path), fileName)
  }

  /// Whether a lock can contain a path: one that does not lead out of the manifest's folder.
  package static func isPath(_ path: String) -> Bool {
    !path.isEmpty
      && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      } && isText(path)
  }

  /// Whether a lock can contain a text: one line that neither begins nor ends with a space.
  package static func isText(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20 else {
      return false
    }
    // Most are ASCII, for which the properties of characters need not be looked up.
    if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return true }
    return text.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }
}
