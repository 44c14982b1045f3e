package import Support

extension AppLock {
  /// What is locked, for programs; docs/shipping.md says what each field means.
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
