package import Support

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
        .lockManifestChanged, "'\(path)'", files[path].map { "\($0)" },
        others[path].map { "\($0)" })
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
      guard let own = files[path], own != digest else { continue }
      differences += Self.difference(
        .lockManifestChanged, "'\(path)'", "\(own)", "\(digest)")
    }
    var sum = self
    sum.includes.merge(other.includes) { own, _ in own }
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

  /// The files of the manifest, by path.
  package var files: [String: SHA256] {
    includes.merging([manifest.path: manifest.digest]) { _, own in own }
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
      .pluginModified, "the plugin '\(name)'", "\(locked.file)", "\(found.file)")
    for library in Set(locked.libraries.keys).union(found.libraries.keys).sorted() {
      differences += difference(
        .pluginModified, "the library '\(library)' of '\(name)'",
        locked.libraries[library].map { "\($0)" }, found.libraries[library].map { "\($0)" })
    }
    return differences
  }

  private static func difference(
    _ rule: Rule, _ subject: String, _ was: String?, _ now: String?
  ) -> [Rejection] {
    switch (was, now) {
    case (let was?, let now?) where was != now:
      [Rejection(rule, "\(subject) was \(was), and is \(now)")]
    case (let was?, nil): [Rejection(rule, "\(subject) was \(was), and is gone")]
    case (nil, let now?): [Rejection(rule, "\(subject) is not in the lock; it is \(now)")]
    default: []
    }
  }
}
