extension PackageDatabase {
  /// The package at an index; `nil` if the index is out of range.
  func package(at index: Int32) -> Package? {
    records.indices.contains(Int(index)) ? Package(database: self, index: index) : nil
  }

  /// The package with a name such as `libc6`, or `libc6:amd64` for that architecture only.
  ///
  /// If several packages have a plain name, it means the native one, or else the first one.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the name.
  func package(named name: String) -> Package? {
    guard let colon = name.utf8.lastIndex(of: .colon) else {
      return packages(named: name).first
    }
    guard let wanted = architectures.number(of: String(name[name.index(after: colon)...])) else {
      return nil
    }
    return packages(named: String(name[..<colon])).first {
      records[Int($0.index)].architecture == wanted
    }
  }

  /// All packages with a plain name, one for each architecture, the native one first.
  func packages(named name: String) -> [Package] {
    guard let number = names.number(of: name) else { return [] }
    return indices(named: number).map { Package(database: self, index: $0) }
  }

  /// The packages that provide a plain name, which may be virtual or a package's own name, too.
  func providers(of name: String) -> [Package] {
    guard let number = names.number(of: name) else { return [] }
    return providers[number].map { Package(database: self, index: $0) }
  }

  /// Whether a name is virtual: some package provides it, and no package has it.
  func isVirtual(_ name: String) -> Bool {
    guard let number = names.number(of: name) else { return false }
    return firstPackages[Int(number)] < 0 && !providers[number].isEmpty
  }

  /// The packages whose name contains a text, then those whose summary alone contains it.
  ///
  /// Both parts are in the order of the packages. ASCII case is ignored. An empty text matches all
  /// packages, without copying the indices.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all names and summaries in bytes: some
  ///   milliseconds for 100,000 packages.
  func matches(_ filter: String) -> [Int32] {
    filter.isEmpty ? allIndices : search.matches(filter)
  }

  /// The indices of the packages with a name.
  func indices(named number: Int32) -> Range<Int32> {
    let first = firstPackages[Int(number)]
    guard first >= 0 else { return 0..<0 }
    var end = first + 1
    while end < records.count, records[Int(end)].name == number { end += 1 }
    return first..<end
  }
}
