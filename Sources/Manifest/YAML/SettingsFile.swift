package import Support

/// A small YAML file of settings: texts by their names, and tables of such texts.
package enum SettingsFile {
  /// Settings in their order.
  package typealias Table = [(name: Located<String>, value: Located<Setting>)]

  /// What a name stands for.
  package enum Setting {
    case text(String)
    case table(Table)
    /// A list, or what is reported already.
    case other
  }

  /// Reads a file with an index in a source map.
  ///
  /// - Returns: the settings, `nil` where it is not YAML or not a map; and what is wrong with it.
  package static func read(
    _ bytes: [UInt8], path: String, file: Int
  ) -> (settings: Table?, problems: [Diagnostic]) {
    let source = SourceFile(path: path, bytes: TextDecoding.utf8(bytes))
    var builder = TreeBuilder(source: source, file: file, limits: ManifestLimits())
    guard let tree = builder.build(), case .table(let settings) = setting(0, in: tree) else {
      return (nil, builder.problems)
    }
    return (settings, builder.problems)
  }

  private static func setting(_ index: Int, in tree: Tree) -> Setting {
    switch tree.entries[index].kind {
    case .scalar: return .text(tree.string(index))
    case .mapping:
      return .table(
        tree.pairs(of: index).map { key, value in
          (
            Located(tree.string(key), at: tree.range(key)),
            Located(setting(value, in: tree), at: tree.range(value))
          )
        })
    case .sequence, .alias, .invalid: return .other
    }
  }
}
