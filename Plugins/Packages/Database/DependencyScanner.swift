/// Scans the value of a relationship field, one alternative at a time.
///
/// `a (>= 1) | b:any, c` has the groups `a (>= 1) | b:any` and `c`. The scanner never fails: a
/// clause that can't be parsed is returned as malformed, with its text.
struct DependencyScanner {
  /// One alternative, as ranges of the scanned bytes.
  struct Clause {
    /// The group's number, counted from 0; empty groups are not counted.
    let group: Int
    /// The whole clause, trimmed.
    let text: Range<Int>
    /// The package's name; empty if the clause is malformed.
    var name: Range<Int>
    /// The part after the name's colon; `nil` without a colon.
    var qualifier: Range<Int>?
    var relation: VersionConstraint.Relation?
    var version: Range<Int>?

    var isMalformed: Bool { name.isEmpty }
  }

  private let bytes: Bytes
  private let end: Int
  private var position: Int
  private var group = 0
  private var groupHasClause = false

  init(_ bytes: Bytes, _ value: Range<Int>) {
    self.bytes = bytes
    position = value.lowerBound
    end = value.upperBound
  }

  /// Returns the next alternative; `nil` at the end.
  mutating func next() -> Clause? {
    while position < end {
      let start = position
      while position < end, !isSeparator(bytes[position]) { position += 1 }
      let text = bytes.trimmed(start..<position)
      let number = group
      let endsGroup = position < end && bytes[position] == UInt8(ascii: ",")
      position += 1
      if !text.isEmpty { groupHasClause = true }
      if endsGroup, groupHasClause {
        group += 1
        groupHasClause = false
      }
      if !text.isEmpty { return clause(text, group: number) }
    }
    return nil
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "|")
  }

  private func clause(_ text: Range<Int>, group: Int) -> Clause {
    let malformed = Clause(group: group, text: text, name: text.lowerBound..<text.lowerBound)
    let name = word(from: text.lowerBound, in: text)
    guard !name.isEmpty, bytes[name.lowerBound].isLetter || bytes[name.lowerBound].isDigit else {
      return malformed
    }
    var clause = Clause(group: group, text: text, name: name)
    var position = name.upperBound
    if position < text.upperBound, bytes[position] == .colon {
      let qualifier = word(from: position + 1, in: text)
      guard !qualifier.isEmpty else { return malformed }
      clause.qualifier = qualifier
      position = qualifier.upperBound
    }
    let rest = bytes.trimmed(position..<text.upperBound)
    if rest.isEmpty { return clause }
    return readConstraint(rest, into: &clause) ? clause : malformed
  }

  /// Parses a constraint such as `(>= 1.0)`; `false` if `text` is not a constraint.
  private func readConstraint(_ text: Range<Int>, into clause: inout Clause) -> Bool {
    guard text.count > 2, bytes[text.lowerBound] == UInt8(ascii: "("),
      bytes[text.upperBound - 1] == UInt8(ascii: ")")
    else { return false }
    let inner = bytes.trimmed(text.lowerBound + 1..<text.upperBound - 1)
    var position = inner.lowerBound
    while position < inner.upperBound, isRelation(bytes[position]) { position += 1 }
    let version = bytes.trimmed(position..<inner.upperBound)
    guard !version.isEmpty, bytes[version].allSatisfy({ !$0.isBlank && !isBracket($0) }) else {
      return false
    }
    clause.relation = VersionConstraint.Relation(symbol: bytes.slice(inner.lowerBound..<position))
    clause.version = version
    return clause.relation != nil
  }

  private func isRelation(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">")
  }

  private func isBracket(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
  }

  /// The longest run of bytes from `start` that may be part of a package or architecture name.
  private func word(from start: Int, in text: Range<Int>) -> Range<Int> {
    var end = start
    while end < text.upperBound, bytes[end].isNamePart { end += 1 }
    return start..<end
  }
}
