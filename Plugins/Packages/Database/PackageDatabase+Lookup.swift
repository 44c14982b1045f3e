extension PackageDatabase {
  /// The package at an index that this database gave out; nil for any other.
  func package(at index: Int32) -> Package? {
    records.indices.contains(Int(index)) ? Package(database: self, index: index) : nil
  }

  /// The package of a name: `libc6`, or `libc6:amd64` for that architecture alone.
  ///
  /// A plain name that stands several times means the native package, or else the first one.
  ///
  /// - Complexity: O(length of the name).
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

  /// All packages of a plain name, one for each architecture, the native one first.
  func packages(named name: String) -> [Package] {
    guard let number = names.number(of: name) else { return [] }
    return indices(named: number).map { Package(database: self, index: $0) }
  }

  /// The packages that provide a plain name, be it virtual or also a package's own.
  func providers(of name: String) -> [Package] {
    guard let number = names.number(of: name) else { return [] }
    return providers[number].map { Package(database: self, index: $0) }
  }

  /// Whether packages provide a name that none bears.
  func isVirtual(_ name: String) -> Bool {
    guard let number = names.number(of: name) else { return false }
    return firstPackages[Int(number)] < 0 && !providers[number].isEmpty
  }

  /// The packages whose name has a text in it, then those whose summary alone has.
  ///
  /// Both parts are in the order of the packages. ASCII case does not matter. An empty text
  /// matches all packages, and copies nothing.
  ///
  /// - Complexity: O(bytes of all names and summaries): some milliseconds for 100,000 packages.
  func matches(_ filter: String) -> [Int32] {
    filter.isEmpty ? allIndices : search.matches(filter)
  }

  /// The indices of a name's packages.
  func indices(named number: Int32) -> Range<Int32> {
    let first = firstPackages[Int(number)]
    guard first >= 0 else { return 0..<0 }
    var end = first + 1
    while end < records.count, records[Int(end)].name == number { end += 1 }
    return first..<end
  }
}
