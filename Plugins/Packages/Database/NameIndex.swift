/// The packages that mention each name, ascending and without duplicates.
///
/// It has two flat arrays: the concatenated packages of all names, and the start of each name's.
struct NameIndex: Sendable {
  private let starts: [UInt32]
  private let packages: [Int32]

  /// Inverts an edge list.
  ///
  /// - Parameters:
  ///   - edges: the names that each stanza mentions.
  ///   - order: the stanzas in the order of the packages.
  ///   - nameCount: the number of names.
  /// - Complexity: O(*e* + *p* + *n*), where *e*, *p* and *n* are the numbers of edges, packages
  ///   and names.
  init(_ edges: EdgeList, order: [Int32], nameCount: Int) {
    // Packages are visited in ascending order, so a name's last visitor reveals a duplicate.
    var last = [Int32](repeating: -1, count: nameCount)
    var starts = [UInt32](repeating: 0, count: nameCount + 1)
    for (package, stanza) in order.enumerated() {
      let package = Int32(truncatingIfNeeded: package)
      for name in edges[Int(stanza)] where last[Int(name)] != package {
        last[Int(name)] = package
        starts[Int(name) + 1] += 1
      }
    }
    for name in 0..<nameCount {
      starts[name + 1] += starts[name]
      last[name] = -1
    }
    var next = starts
    var packages = [Int32](repeating: 0, count: Int(starts[nameCount]))
    for (package, stanza) in order.enumerated() {
      let package = Int32(truncatingIfNeeded: package)
      for name in edges[Int(stanza)] where last[Int(name)] != package {
        last[Int(name)] = package
        packages[Int(next[Int(name)])] = package
        next[Int(name)] += 1
      }
    }
    self.starts = starts
    self.packages = packages
  }

  /// The packages that mention a name.
  subscript(name: Int32) -> ArraySlice<Int32> {
    packages[Int(starts[Int(name)])..<Int(starts[Int(name) + 1])]
  }
}
