extension AppLock {
  /// The lines of the file, each one fact; kinds in this order, and each sorted by its bytes.
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
    lines += plugins.filter(\.value.isFolder).map { "sources \($0.key)" }
    for (name, plugin) in plugins {
      for target in plugin.builds.keys.sorted() {
        guard let build = plugin.builds[target] else { continue }
        let place = "\(name) \(target.architecture) \(target.contract)"
        lines.append("build \(place) \(build.digest)")
        lines += Self.sorted(build.libraries).map { "library \(place) \($0.value) \($0.key)" }
      }
    }
    return lines
  }

  /// The text of the file.
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
