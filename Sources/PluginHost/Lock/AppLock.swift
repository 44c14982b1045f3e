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
  /// The path of the manifest, from its own folder.
  package var manifest: String
  /// The digests of the manifest and of the files that it includes, by path.
  package var files: [String: SHA256]
  package var plugins: [String: Plugin]

  package init(
    app: String, version: String?, manifest: String, files: [String: SHA256],
    plugins: [String: Plugin] = [:]
  ) {
    (self.app, self.version, self.manifest) = (app, version, manifest)
    (self.files, self.plugins) = (files, plugins)
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

// Comparing a lock with the app as it is now, and with other locks.
extension AppLock {
  /// The differences from the app as it is now; builds for other machines are ignored.
  ///
  /// - Returns: the differences, in the order of the lines.
  package func differences(from found: AppLock, for target: Target = .current) -> [Rejection] {
    var differences = appDifferences(from: found)
    let (files, others) = (files, found.files)
    for path in Set(files.keys).union(others.keys).sorted() {
      differences += Self.difference(
        .lockManifestChanged, "'\(path)'", files[path], others[path])
    }
    for name in Set(plugins.keys).union(found.plugins.keys).sorted() {
      switch (plugins[name], found.plugins[name]) {
      case (let locked?, let plugin?):
        differences += Self.pluginDifferences(name, locked, plugin)
        differences += Self.buildDifference(
          name, locked.builds[target], plugin.builds[target], target)
      case (.some, nil):
        differences.append(
          Rejection(
            .lockPluginGone, "the lock has the plugin '\(name)', and the manifest does not"))
      case (nil, _):
        differences.append(
          Rejection(.pluginNotLocked, "the plugin '\(name)' is not in the lock"))
      }
    }
    return differences
  }

  /// This lock with the builds, plugins and files of another one added.
  ///
  /// - Returns: the sum, which is of no use where the two contradict each other, and in what they do:
  ///   nothing is replaced.
  package func adding(_ other: AppLock) -> (sum: AppLock, contradictions: [Rejection]) {
    var differences = appDifferences(from: other)
    for (path, digest) in other.files.sorted(by: { $0.key < $1.key }) {
      guard let own = files[path] else { continue }
      differences += Self.difference(.lockManifestChanged, "'\(path)'", own, digest)
    }
    var sum = self
    sum.files.merge(other.files) { own, _ in own }
    for (name, plugin) in other.plugins.sorted(by: { $0.key < $1.key }) {
      guard let own = plugins[name] else {
        sum.plugins[name] = plugin
        continue
      }
      differences += Self.pluginDifferences(name, own, plugin)
      sum.plugins[name]?.path = own.path ?? plugin.path
      for (target, build) in plugin.builds {
        if let former = own.builds[target] {
          differences += Self.buildDifference(name, former, build, target)
        }
        sum.plugins[name]?.builds[target] = build
      }
    }
    return (sum, differences)
  }

  private func appDifferences(from found: AppLock) -> [Rejection] {
    Self.difference(.lockAppChanged, "the app's name", app, found.app)
      + Self.difference(.lockAppChanged, "the app's version", version, found.version)
  }

  /// The differences apart from the builds.
  private static func pluginDifferences(
    _ name: String, _ locked: Plugin, _ found: Plugin
  ) -> [Rejection] {
    func form(_ plugin: Plugin) -> String { plugin.isFolder ? "a folder of sources" : "a file" }
    return difference(
      .lockAppChanged, "the version of the plugin '\(name)'", locked.version, found.version)
      + (locked.path == nil
        ? []
        : difference(
          .lockAppChanged, "the path of the plugin '\(name)'", locked.path, found.path))
      + difference(.pluginModified, "the plugin '\(name)'", form(locked), form(found))
  }

  private static func buildDifference(
    _ name: String, _ locked: PluginDigests?, _ found: PluginDigests?, _ target: Target
  ) -> [Rejection] {
    guard let found, locked != found else { return [] }
    guard let locked else {
      return [
        Rejection(
          .pluginNotLockedHere, "the plugin '\(name)' is not in the lock for \(target)")
      ]
    }
    var differences = difference(
      .pluginModified, "the plugin '\(name)'", locked.file, found.file)
    for library in Set(locked.libraries.keys).union(found.libraries.keys).sorted() {
      differences += difference(
        .pluginModified, "the library '\(library)' of '\(name)'",
        locked.libraries[library], found.libraries[library])
    }
    return differences
  }

  private static func difference<Fact: Equatable>(
    _ rule: Rule, _ subject: String, _ was: Fact?, _ now: Fact?
  ) -> [Rejection] {
    switch (was, now) {
    case (let was?, let now?) where was != now:
      [Rejection(rule, "\(subject) was \(was), and is \(now)")]
    case (let was?, nil): [Rejection(rule, "\(subject) was \(was), and is gone")]
    case (nil, let now?): [Rejection(rule, "\(subject) is not in the lock; it is \(now)")]
    default: []
    }
  }

  /// The lines of the file, each one fact: the app, its files, its plugins, and then their builds,
  /// target by target; each list is sorted by its bytes.
  ///
  /// Every line names what it is about, so that a merge may put them in any order.
  package var lines: [String] {
    var lines = ["app \(app)"]
    if let version { lines.append("version \(version)") }
    lines += files[manifest].map { ["manifest \($0) \(manifest)"] } ?? []
    // By the path, not by the digest: a changed file keeps its line.
    lines += Self.sorted(files).filter { $0.key != manifest }
      .map { "include \($0.value) \($0.key)" }
    let plugins = Self.sorted(plugins)
    lines += plugins.map { "plugin \($0.key) \($0.value.version)" }
    lines += plugins.compactMap { name, plugin in plugin.path.map { "path \(name) \($0)" } }
    lines += plugins.filter(\.value.isFolder).map { "sources \($0.key)" }
    // What one machine adds is in one place. Otherwise git's union merge of two machines' locks
    // would have some lines twice.
    for target in Set(plugins.flatMap(\.value.builds.keys)).sorted() {
      for (name, plugin) in plugins {
        guard let build = plugin.builds[target] else { continue }
        let place = "\(name) \(target.architecture) \(target.contract)"
        lines.append("build \(place) \(build.file)")
        lines += Self.sorted(build.libraries).map { "library \(place) \($0.value) \($0.key)" }
      }
    }
    return lines
  }

  package var text: String {
    (["appcore-lock \(Self.format)"] + lines).map { $0 + "\n" }.joined()
  }

  private static func sorted<Value>(_ table: [String: Value]) -> [(key: String, value: Value)] {
    table.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension AppLock.Target: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.architecture, left.contract) < (right.architecture, right.contract)
  }
}

extension AppLock {
  /// What is locked, for programs; docs/signing.md says what each field means.
  package var json: JSONTree {
    .object([
      ("name", .string(app)), ("version", version.map { .string($0) } ?? .null),
      (
        "files",
        .array(files.sorted { $0.key < $1.key }.map { Self.json("path", $0.key, $0.value) })
      ),
      (
        "plugins",
        .array(
          plugins.sorted { $0.key < $1.key }.map { name, plugin in
            .object([
              ("name", .string(name)), ("version", .string(plugin.version)),
              ("path", plugin.path.map { .string($0) } ?? .null),
              ("sources", .bool(plugin.isFolder)),
              ("builds", .array(plugin.builds.sorted { $0.key < $1.key }.map(Self.json))),
            ])
          })
      ),
    ])
  }

  private static func json(_ target: Target, _ build: PluginDigests) -> JSONTree {
    .object([
      ("architecture", .string(target.architecture)), ("contract", .string(target.contract)),
      ("digest", .string("\(build.file)")),
      (
        "libraries",
        .array(
          build.libraries.sorted { $0.key < $1.key }.map { json("name", $0.key, $0.value) })
      ),
    ])
  }

  private static func json(_ field: String, _ file: String, _ digest: SHA256) -> JSONTree {
    .object([(field, .string(file)), ("digest", .string("\(digest)"))])
  }
}
