package import Support

/// A small YAML file of settings: texts by their names, and tables of such texts.
package struct SettingsFile {
  /// What a name stands for.
  package enum Setting {
    case text(String)
    case table([(name: Located<String>, value: Located<Setting>)])
    /// A list, or what is reported already.
    case other
  }

  /// The settings, in their order.
  package let settings: [(name: Located<String>, value: Located<Setting>)]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: what it has.
  ///   - path: its path, for messages.
  ///   - file: its index in the source map.
  /// - Returns: the settings, `nil` where it is not YAML or not a map; and what is wrong with it.
  package static func read(
    _ bytes: [UInt8], path: String, file: Int
  ) -> (file: SettingsFile?, problems: [Diagnostic]) {
    let source = SourceFile(path: path, bytes: TextDecoding.utf8(bytes))
    var builder = TreeBuilder(source: source, file: file, limits: ManifestLimits())
    guard let tree = builder.build(), case .table(let settings) = setting(0, in: tree) else {
      return (nil, builder.problems)
    }
    return (SettingsFile(settings: settings), builder.problems)
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
