extension Package {
  /// How strongly other packages depend on this one.
  enum Need: CaseIterable, Sendable {
    /// By `Pre-Depends` or `Depends`.
    case required
    /// By `Recommends` or `Suggests`.
    case wanted

    var kinds: [Dependency.Kind] {
      switch self {
      case .required: [.preDepends, .depends]
      case .wanted: [.recommends, .suggests]
      }
    }
  }

  /// The packages that ask for this one, by its name or by a name that it provides.
  ///
  /// They are ascending and without duplicates, and include neither the package itself nor removed
  /// packages. A package that asks for this one's name is included whatever version it asks for. A
  /// package that asks for a provided name is included only if this one satisfies it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of packages that mention one of the names. With
  ///   foreign architectures, and for provided names, their stanzas are read, too.
  func dependents(_ need: Need = .required) -> [Int32] {
    let index = need == .required ? database.requiredBy : database.wantedBy
    var found = [Int32](index[record.name])
    if database.hasForeignPackages { found = found.filter { isNamed(by: $0, need) } }
    var providing = false
    for provided in provides {
      guard let number = database.names.number(of: provided.name), number != record.name else {
        continue
      }
      let asking = index[number].filter { isServing($0, need, by: provided) }
      providing = providing || !asking.isEmpty
      found += asking
    }
    if providing {
      found.sort()
      found = found.enumerated().filter { $0 == 0 || found[$0 - 1] != $1 }.map(\.element)
    }
    return found.filter { $0 != self.index }
  }

  private func isNamed(by depender: Int32, _ need: Need) -> Bool {
    asks(depender, need) { alternative, depender in
      database.names.number(of: alternative.name) == record.name
        && suits(alternative.architectureQualifier, for: depender)
    }
  }

  private func isServing(_ depender: Int32, _ need: Need, by provided: Alternative) -> Bool {
    let number = database.names.number(of: provided.name)
    return asks(depender, need) { alternative, depender in
      database.names.number(of: alternative.name) == number && fulfills(alternative, for: depender)
    }
  }

  private func asks(
    _ depender: Int32, _ need: Need, _ isMeant: (Alternative, Package) -> Bool
  ) -> Bool {
    let depender = Package(database: database, index: depender)
    return need.kinds.contains { kind in
      depender.dependencies(kind).contains { group in
        group.alternatives.contains { $0.malformedText == nil && isMeant($0, depender) }
      }
    }
  }
}
