extension AppLock {
  /// The lines of the file, each one fact: the app, its files, its plugins, and then their builds,
  /// target by target; each list is sorted by its bytes.
  ///
  /// Every line names what it is about, so that a merge may put them in any order.
  package var lines: [String] {
    var lines = ["app \(app)"]
    if let version { lines.append("version \(version)") }
    lines.append("manifest \(manifest.digest) \(manifest.path)")
    // By the path, not by the digest: a changed file keeps its line.
    lines += Self.sorted(includes).map { "include \($0.value) \($0.key)" }
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
    if left.architecture != right.architecture { return left.architecture < right.architecture }
    return left.contract < right.contract
  }
}
