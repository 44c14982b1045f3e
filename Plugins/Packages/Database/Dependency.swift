/// One group of a relationship field, which any one of its alternatives satisfies.
struct Dependency: Hashable, Sendable {
  /// The field that the group is in.
  enum Kind: String, CaseIterable, Sendable {
    case preDepends = "Pre-Depends"
    case depends = "Depends"
    case recommends = "Recommends"
    case suggests = "Suggests"
    case enhances = "Enhances"
    case breaks = "Breaks"
    case conflicts = "Conflicts"
    case replaces = "Replaces"

    /// The fields with which a package asks for others, the strongest first.
    static let needs: [Kind] = [.preDepends, .depends, .recommends, .suggests]
  }

  let kind: Kind
  /// At least one alternative, in the file's order, which is the order of preference.
  let alternatives: [Alternative]
}

extension Dependency: CustomStringConvertible {
  /// The group as Debian writes it: `a (>= 1) | b`.
  var description: String { alternatives.map(\.description).joined(separator: " | ") }
}
