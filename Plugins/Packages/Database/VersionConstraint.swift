/// A constraint on a version, such as `>= 2.36`.
struct VersionConstraint: Hashable, Sendable {
  /// The relation that a version must have to the one in the constraint.
  enum Relation: String, CaseIterable, Sendable {
    case earlier = "<<"
    case earlierOrEqual = "<="
    case equal = "="
    case laterOrEqual = ">="
    case later = ">>"

    /// Parses a relation's symbol; `nil` if it is not one.
    ///
    /// `<` and `>` are obsolete spellings of `<=` and `>=`, which dpkg still accepts.
    init?(symbol: Bytes) {
      let isDouble = symbol.count == 2
      guard symbol.count == 1 || isDouble else { return nil }
      let last = symbol[symbol.count - 1]
      switch (symbol[0], isDouble) {
      case (UInt8(ascii: "="), false): self = .equal
      case (UInt8(ascii: "<"), false): self = .earlierOrEqual
      case (UInt8(ascii: ">"), false): self = .laterOrEqual
      case (UInt8(ascii: "<"), true) where last == UInt8(ascii: "="): self = .earlierOrEqual
      case (UInt8(ascii: "<"), true) where last == UInt8(ascii: "<"): self = .earlier
      case (UInt8(ascii: ">"), true) where last == UInt8(ascii: "="): self = .laterOrEqual
      case (UInt8(ascii: ">"), true) where last == UInt8(ascii: ">"): self = .later
      default: return nil
      }
    }
  }

  let relation: Relation
  let version: String

  /// Whether a version satisfies the constraint.
  func isMet(by candidate: String) -> Bool {
    let order = DebianVersion.compare(candidate, version)
    return switch relation {
    case .earlier: order < 0
    case .earlierOrEqual: order <= 0
    case .equal: order == 0
    case .laterOrEqual: order >= 0
    case .later: order > 0
    }
  }
}

extension VersionConstraint: CustomStringConvertible {
  /// The constraint as Debian writes it, without parentheses: `>= 2.36`.
  var description: String { "\(relation.rawValue) \(version)" }
}
