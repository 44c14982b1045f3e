extension Package {
  /// The package's pre-dependencies, dependencies, recommendations and suggestions, in this order.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the stanza in bytes.
  var dependencies: [Dependency] { Dependency.Kind.needs.flatMap { dependencies($0) } }

  /// The groups of one relationship field, in the file's order.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the stanza in bytes.
  func dependencies(_ kind: Dependency.Kind) -> [Dependency] {
    alternatives(in: kind.rawValue).map { Dependency(kind: kind, alternatives: $0) }
  }

  /// The names that the package provides, some with a version.
  var provides: [Alternative] { alternatives(in: "Provides").flatMap { $0 } }

  /// Whether an installed package satisfies one of a group's alternatives.
  func isSatisfied(_ dependency: Dependency) -> Bool {
    dependency.alternatives.contains { satisfier(of: $0) != nil }
  }

  /// The installed package that satisfies an alternative of this one; `nil` if none does.
  ///
  /// A package satisfies it by its name, architecture and version, or by a name that it provides. A
  /// name that is provided without a version does not satisfy a version constraint.
  func satisfier(of alternative: Alternative) -> Package? {
    candidates(for: alternative).first { candidate in
      candidate.state.satisfiesDependencies && candidate.fulfills(alternative, for: self)
    }
  }

  /// The packages in any state that have an alternative's name, followed by those that provide it.
  func candidates(for alternative: Alternative) -> [Package] {
    guard let number = database.names.number(of: alternative.name) else { return [] }
    let bearers = database.indices(named: number)
    let others = database.providers[number].filter { !bearers.contains($0) }
    return (Array(bearers) + others).map { Package(database: database, index: $0) }
  }

  /// Whether this package satisfies an alternative of another one, regardless of its state.
  func fulfills(_ alternative: Alternative, for depender: Package) -> Bool {
    guard suits(alternative.architectureQualifier, for: depender) else { return false }
    let name = database.names.number(of: alternative.name)
    if name == record.name, alternative.constraint?.isMet(by: version) ?? true { return true }
    return provides.contains { provided in
      guard name == database.names.number(of: provided.name), provided.malformedText == nil else {
        return false
      }
      guard let constraint = alternative.constraint else { return true }
      return provided.constraint.map { constraint.isMet(by: $0.version) } ?? false
    }
  }

  /// Whether this package's architecture satisfies another one's qualifier, by dpkg's rules.
  ///
  /// Without a qualifier, the architectures must be equal, or this package must have `Multi-Arch:
  /// foreign`. `all` counts as native.
  func suits(_ qualifier: String?, for depender: Package) -> Bool {
    let multiArch = multiArch
    guard let qualifier else {
      return multiArch == "foreign"
        || effectiveArchitecture == depender.effectiveArchitecture
    }
    if qualifier == "any" {
      return multiArch == "allowed" || effectiveArchitecture == database.nativeArchitecture
    }
    return effectiveArchitecture == database.architectures.number(of: qualifier)
  }

  private var effectiveArchitecture: Int32 {
    let number = record.architecture
    let isAll = number == 0 || number == database.allArchitecture
    return isAll ? database.nativeArchitecture : number
  }

  private func alternatives(in field: String) -> [[Alternative]] {
    withValue(of: field) { Alternative.groups(in: $0, $1) } ?? []
  }
}
