extension Package {
  /// How much the packages that ask for this one need it.
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

  /// The packages that ask for this one, by its name or by one that it provides.
  ///
  /// Each is there once, ascending; the package itself is not, nor are removed packages. Those
  /// that name this package are there whatever version they ask for; those that name what it
  /// provides, if it is what they ask for.
  ///
  /// - Complexity: O(result); where architectures are mixed, and for provided names, the stanzas
  ///   of the result are read.
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
