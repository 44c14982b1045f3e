/// The order of the packages: by name, then native before `all` before other architectures.
struct PackageOrder {
  /// The rank of architectures that are neither native nor `all`.
  static let foreignRank = 2

  /// The stanzas' positions in the file, in the order of the packages.
  let stanzas: [Int32]
  /// The native architecture's number, or -1 if it is not known from the file.
  let native: Int32

  private let parsed: Stanzas
  /// The number of the architecture `all`, or -1 if there is no such package.
  let all: Int32

  /// The parts of a parsed file that sorting needs.
  ///
  /// The parser itself is not kept, because its pointer to the bytes becomes invalid.
  private struct Stanzas {
    let records: [StanzaRecord]
    let names: NameTable
    let architectures: NameTable
  }

  /// Sorts the stanzas of a parsed file.
  ///
  /// - Complexity: O(*n*) for a sorted file, as dpkg writes it, and O(*n* log *n*) otherwise, where
  ///   *n* is the number of packages.
  init(_ parser: StatusParser) {
    let parsed = Stanzas(
      records: parser.records, names: parser.names, architectures: parser.architectures)
    self.parsed = parsed
    all = parsed.architectures.number(of: "all") ?? -1
    native = Self.native(in: parsed, all: all)
    let ranks = Self.ranks(parsed.architectures, native: native, all: all)
    let isBefore = { (left: Int32, right: Int32) in
      let (left, right) = (parsed.records[Int(left)], parsed.records[Int(right)])
      if left.name != right.name {
        return parsed.names.withName(left.name) { first in
          parsed.names.withName(right.name) { first.isBefore($0) }
        }
      }
      if left.architecture != right.architecture {
        return ranks[Int(left.architecture)] < ranks[Int(right.architecture)]
      }
      return left.start < right.start
    }
    var order = [Int32](0..<Int32(truncatingIfNeeded: parsed.records.count))
    if !zip(order, order.dropFirst()).allSatisfy({ isBefore($0, $1) }) { order.sort(by: isBefore) }
    stanzas = order
  }

  /// The rank of an architecture: 0 if native, 1 for `all` or none, ``foreignRank`` for others.
  func rank(ofArchitecture number: Int32) -> Int {
    if number == native { return 0 }
    return number == all || number == 0 ? 1 : Self.foreignRank
  }

  /// Throws an error if two stanzas have the same package name and architecture.
  func refuseDuplicates(path: String) throws(DatabaseError) {
    var found: (line: UInt32, first: UInt32, record: StanzaRecord)?
    for (left, right) in zip(stanzas, stanzas.dropFirst()) {
      let (left, right) = (parsed.records[Int(left)], parsed.records[Int(right)])
      guard left.name == right.name, left.architecture == right.architecture else { continue }
      // The first duplicate in the file is reported.
      if let found, found.line <= right.line { continue }
      found = (right.line, left.line, right)
    }
    guard let found else { return }
    let name = parsed.names.withName(found.record.name) { $0.text(0..<$0.count) }
    let kind = DatabaseError.Kind.duplicatePackage(
      name: name, line: Int(found.line), first: Int(found.first))
    throw DatabaseError(path: path, kind: kind)
  }

  /// The architecture of the package `dpkg`; without one, the most frequent that is not `all`.
  private static func native(in parsed: Stanzas, all: Int32) -> Int32 {
    var counts = [Int](repeating: 0, count: parsed.architectures.count)
    let dpkg = parsed.names.number(of: "dpkg")
    var native: Int32 = -1
    for record in parsed.records where record.architecture != all && record.architecture != 0 {
      if record.name == dpkg, record.state == .installed { return record.architecture }
      counts[Int(record.architecture)] += 1
      if native < 0 || counts[Int(record.architecture)] > counts[Int(native)] {
        native = record.architecture
      }
    }
    return native
  }

  /// The sort position of each architecture, by number, among packages of one name.
  private static func ranks(_ table: NameTable, native: Int32, all: Int32) -> [Int] {
    let byName = (0..<Int32(truncatingIfNeeded: table.count)).sorted { left, right in
      table.withName(left) { first in table.withName(right) { first.isBefore($0) } }
    }
    var ranks = [Int](repeating: 0, count: table.count)
    for (place, number) in byName.enumerated() { ranks[Int(number)] = place + 2 }
    if all >= 0 { ranks[Int(all)] = 1 }
    if native >= 0 { ranks[Int(native)] = 0 }
    return ranks
  }
}
