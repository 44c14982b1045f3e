internal import Support

/// Removes duplicate plugins: naming a plugin twice is allowed if both entries are equal.
enum PluginCheck {
  /// Drops repeated plugins and reports those that differ.
  static func run(on draft: inout Draft) {
    var first: [String: Manifest.Plugin] = [:]
    var kept: [Manifest.Plugin] = []
    for plugin in draft.manifest.plugins {
      let name = plugin.reference.description
      guard let other = first[name] else {
        first[name] = plugin
        kept.append(plugin)
        continue
      }
      guard !plugin.saysTheSame(as: other) else { continue }
      draft.problems.append(
        Diagnostic(
          .conflictingPlugin(name), at: plugin.range,
          related: .init(.firstDefinition, at: other.range)))
    }
    draft.manifest.plugins = kept
  }
}

extension Manifest.Plugin.Reference: CustomStringConvertible {
  /// The name, or the resolved path.
  public var description: String {
    switch self {
    case .name(let name): name
    case .path(let path, _): path
    }
  }
}

extension Manifest.Plugin {
  fileprivate func saysTheSame(as other: Self) -> Bool {
    guard version?.value == other.version?.value, load?.value == other.load?.value else {
      return false
    }
    switch (with, other.with) {
    case (nil, nil): return true
    case (let mine?, let others?): return mine.isEqual(to: others)
    default: return false
    }
  }
}

extension Manifest.Expression {
  /// Whether two expressions are equal apart from their places; an invalid one equals every other.
  public func isEqual(to other: Self) -> Bool {
    switch (kind, other.kind) {
    case (.scalar(let left), .scalar(let right)): return left.resolved == right.resolved
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      let others = Dictionary(
        right.map { ($0.name.value, $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.count == right.count
        && left.allSatisfy { field in
          others[field.name.value].map { field.value.isEqual(to: $0) } ?? false
        }
    case (.reference(let left), .reference(let right)): return left.text == right.text
    case (.interpolation(let left), .interpolation(let right)):
      return left.map(\.text) == right.map(\.text)
    case (.invalid, _), (_, .invalid): return true
    default: return false
    }
  }
}

extension Manifest.Expression.Part {
  /// The part as it is written.
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .insertion(let reference, _): "{\(reference.text)}"
    }
  }
}
