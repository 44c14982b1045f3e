internal import Support

extension DocumentReader {
  mutating func readPlugins(_ value: Int) {
    let elements = list(value, "'plugins'", of: [.scalar, .mapping], keys: .plugin)
    for element in elements {
      if let plugin = readPlugin(element) { result.manifest.plugins.append(plugin) }
    }
  }

  private mutating func readPlugin(_ index: Int) -> Manifest.Plugin? {
    guard tree.entries[index].kind == .mapping else {
      return pluginName(index).map {
        Manifest.Plugin(reference: .name($0), range: tree.range(index))
      }
    }
    let fields = fields(of: index, .plugin)
    var reference: Manifest.Plugin.Reference?
    switch (fields[.name], fields[.path]) {
    case (let name?, let path?):
      report(
        .wrongShape, at: max(name.key, path.key),
        "a plugin must be given by one of 'name' and 'path', not by both",
        related: .init(.other, at: tree.range(min(name.key, path.key))))
    case (let name?, nil): reference = pluginName(name.value).map { .name($0) }
    case (nil, let path?):
      reference = self.path(path.value, "'path'").map {
        .path(resolved: FilePath.join(folder, $0.value), written: $0.value)
      }
    case (nil, nil): missing(.name, or: .path, in: "the plugin", at: index)
    }
    let version = fields[.version].flatMap { readVersionRequirement($0.value, "'version'") }
    let load = fields[.load].flatMap { choice($0, of: Manifest.Plugin.Loading.self) }
    let with = fields[.with].map { expression($0.value, hasPayload: false) }
    return reference.map {
      Manifest.Plugin(
        reference: $0, version: version, load: load, with: with, range: tree.range(index),
        pathEntry: fields[.path].map { (tree.range($0.key), tree.range($0.value)) })
    }
  }

  private mutating func pluginName(_ index: Int) -> String? {
    guard let name = word(index, "a plugin") else { return nil }
    if Grammar.isIdentifier(name.value[...]) { return name.value }
    report(
      .wrongShape, at: index,
      "a plugin must be a name such as Session, or { path: … }, not \(quote(name.value))")
    return nil
  }

  mutating func readVersionRequirement(
    _ value: Int, _ subject: String
  ) -> Located<VersionRequirement>? {
    guard let text = word(value, subject) else { return nil }
    guard let requirement = VersionRequirement(text.value) else {
      report(
        .badVersionRequirement, at: value,
        "\(quote(text.value)) is not a version requirement; write it like \">=1.0 <2\"")
      return nil
    }
    return Located(requirement, at: text.range)
  }
}
