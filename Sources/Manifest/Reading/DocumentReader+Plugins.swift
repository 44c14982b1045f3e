internal import Support

extension DocumentReader {
  mutating func readPlugins(_ value: Int) {
    let elements = list(value, "'plugins'", of: [.scalar, .mapping], keys: Self.pluginKeys)
    for element in elements {
      if let plugin = readPlugin(element) { result.manifest.plugins.append(plugin) }
    }
  }

  private static let pluginKeys = Grammar.plugin.keywords

  private mutating func readPlugin(_ index: Int) -> Manifest.Plugin? {
    guard tree.entries[index].kind == .mapping else {
      return pluginName(index).map {
        Manifest.Plugin(reference: .name($0), range: tree.range(index))
      }
    }
    var name: (key: Int, value: Int)?
    var path: (key: Int, value: Int)?
    var version: Located<VersionRequirement>?
    var load: Located<Manifest.Plugin.Loading>?
    var with: Manifest.Expression?
    for (key, value) in tree.pairs(of: index) {
      switch keyword(of: key, in: index, place: "a plugin", Self.pluginKeys) {
      case .name: name = (key, value)
      case .path: path = (key, value)
      case .version: version = readVersionRequirement(value, "'version'")
      case .load: load = choice(value, .load, of: Manifest.Plugin.Loading.self)
      case .with: with = expression(value, hasPayload: false)
      default: break
      }
    }
    var reference: Manifest.Plugin.Reference?
    switch (name, path) {
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
    return reference.map {
      Manifest.Plugin(
        reference: $0, version: version, load: load, with: with, range: tree.range(index),
        pathEntry: path.map { (tree.range($0.key), tree.range($0.value)) })
    }
  }

  private mutating func pluginName(_ index: Int) -> String? {
    guard let name = word(index, "a plugin") else { return nil }
    if Self.isIdentifier(name.value[...]) { return name.value }
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
