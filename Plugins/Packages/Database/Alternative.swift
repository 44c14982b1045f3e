/// One package that a relationship names, with the required architecture and version.
struct Alternative: Hashable, Sendable {
  /// The package's name as written, without qualifier; empty if the clause is malformed.
  let name: String
  /// The part after the name's colon: an architecture, or `any`.
  let architectureQualifier: String?
  let constraint: VersionConstraint?
  /// The clause as it is in the file, if it is malformed; otherwise `nil`.
  let malformedText: String?

  init(
    name: String, architectureQualifier: String? = nil, constraint: VersionConstraint? = nil,
    malformedText: String? = nil
  ) {
    self.name = name
    self.architectureQualifier = architectureQualifier
    self.constraint = constraint
    self.malformedText = malformedText
  }

  init(_ clause: DependencyScanner.Clause, in bytes: Bytes) {
    if clause.isMalformed {
      self.init(name: "", malformedText: bytes.text(clause.text))
      return
    }
    var constraint: VersionConstraint?
    if let relation = clause.relation, let version = clause.version {
      constraint = VersionConstraint(relation: relation, version: bytes.text(version))
    }
    self.init(
      name: bytes.text(clause.name),
      architectureQualifier: clause.qualifier.map { bytes.text($0) },
      constraint: constraint
    )
  }

  /// Parses the value of a relationship field into its groups of alternatives.
  static func groups(in bytes: Bytes, _ value: Range<Int>) -> [[Alternative]] {
    var groups: [[Alternative]] = []
    var scanner = DependencyScanner(bytes, value)
    while let clause = scanner.next() {
      if clause.group == groups.count { groups.append([]) }
      groups[groups.count - 1].append(Alternative(clause, in: bytes))
    }
    return groups
  }
}

extension Alternative: CustomStringConvertible {
  /// The alternative as Debian writes it: `libc6:any (>= 2.36)`; a malformed one unchanged.
  var description: String {
    if let malformedText { return malformedText }
    let qualifier = architectureQualifier.map { ":\($0)" } ?? ""
    return name + qualifier + (constraint.map { " (\($0))" } ?? "")
  }
}
