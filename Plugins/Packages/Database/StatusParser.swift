/// Parses a status file in one pass over its lines.
///
/// It checks every line, records the range of each stanza, and numbers the names that stanzas
/// mention. Nothing is decoded: strings are created when a package is shown.
struct StatusParser {
  private let bytes: Bytes
  private let path: String
  private let progress: ProgressReporter

  private(set) var records: [StanzaRecord] = []
  private(set) var names = NameTable()
  private(set) var architectures = NameTable()
  /// The names in `Pre-Depends` and `Depends`.
  private(set) var required = EdgeList()
  /// The names in `Recommends` and `Suggests`.
  private(set) var optional = EdgeList()
  /// The names in `Provides`.
  private(set) var provided = EdgeList()

  private var fields = FieldTable()
  private var line = 0
  private var openStanza: StanzaRecord?
  private var openField: Int32?
  private var valueStart = 0
  private var valueEnd = 0

  init(_ bytes: Bytes, path: String, progress: ProgressReporter) {
    self.bytes = bytes
    self.path = path
    self.progress = progress
    var empty = ""
    _ = empty.withUTF8 { architectures.intern($0) }
  }

  /// Parses the whole file.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  mutating func parse() throws(DatabaseError) {
    var position = 0
    var meter = progress.meter(.indexing, total: bytes.count)
    while position < bytes.count {
      let end = bytes.firstPosition(of: .newline, in: position..<bytes.count)
      line += 1
      try parseLine(position..<end)
      position = end + 1
      if !meter.advance(to: min(position, bytes.count)) { throw error(.cancelled) }
    }
    line += 1
    try closeStanza()
  }

  private mutating func parseLine(_ range: Range<Int>) throws(DatabaseError) {
    let first = range.isEmpty ? UInt8.newline : bytes[range.lowerBound]
    if range.isEmpty || (first == UInt8(ascii: "\r") && range.count == 1) {
      try closeStanza()
    } else if first == 0x20 || first == 0x09 {
      guard openField != nil else { throw malformed(range) }
      valueEnd = range.upperBound
    } else {
      try readField(range)
    }
  }

  private mutating func readField(_ range: Range<Int>) throws(DatabaseError) {
    try closeField()
    var nameEnd = range.lowerBound
    while nameEnd < range.upperBound, bytes[nameEnd] != .colon, !bytes[nameEnd].isBlank {
      nameEnd += 1
    }
    var colon = nameEnd
    while colon < range.upperBound, bytes[colon].isBlank { colon += 1 }
    guard nameEnd > range.lowerBound, colon < range.upperBound, bytes[colon] == .colon else {
      throw malformed(range)
    }
    if openStanza == nil {
      openStanza = StanzaRecord(
        start: UInt32(truncatingIfNeeded: range.lowerBound),
        line: UInt32(truncatingIfNeeded: line)
      )
    }
    let name = range.lowerBound..<nameEnd
    let number = fields.number(of: bytes.slice(name))
    let seen = fields.mark(number, line: line)
    if let stanza = openStanza, seen >= stanza.line {
      throw error(.duplicateField(name: excerpt(name), line: line, first: seen))
    }
    openField = number
    valueStart = colon + 1
    valueEnd = range.upperBound
  }

  /// Interprets the field that has just ended.
  private mutating func closeField() throws(DatabaseError) {
    guard let number = openField else { return }
    openField = nil
    guard let field = ControlField(rawValue: number) else { return }
    let value = valueStart..<valueEnd
    switch field {
    case .package: try setName(bytes.firstLine(value))
    case .status: openStanza?.state = PackageState(status: value, in: bytes)
    case .architecture:
      openStanza?.architecture = architectures.intern(bytes.slice(bytes.firstLine(value)))
    case .preDepends, .depends: Self.mention(value, bytes, &names, &required)
    case .recommends, .suggests: Self.mention(value, bytes, &names, &optional)
    case .provides: Self.mention(value, bytes, &names, &provided)
    case .description:
      let summary = bytes.firstLine(value)
      openStanza?.summaryStart = UInt32(truncatingIfNeeded: summary.lowerBound)
      openStanza?.summaryLength = UInt32(truncatingIfNeeded: summary.count)
    }
  }

  private mutating func setName(_ name: Range<Int>) throws(DatabaseError) {
    guard !name.isEmpty else { return }
    guard bytes.slice(name).isPackageName else {
      throw error(.invalidName(excerpt(name), line: fields.lastLine(of: .package)))
    }
    openStanza?.name = names.intern(bytes.slice(name))
    openStanza?.nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
    openStanza?.nameLength = UInt32(truncatingIfNeeded: name.count)
  }

  private static func mention(
    _ value: Range<Int>, _ bytes: Bytes, _ names: inout NameTable, _ edges: inout EdgeList
  ) {
    var scanner = DependencyScanner(bytes, value)
    while let clause = scanner.next() {
      if !clause.isMalformed { edges.append(names.intern(bytes.slice(clause.name))) }
    }
  }

  private mutating func closeStanza() throws(DatabaseError) {
    guard openStanza != nil else { return }
    let end = valueEnd
    try closeField()
    guard var stanza = openStanza else { return }
    openStanza = nil
    guard stanza.name >= 0 else {
      let line = Int(stanza.line)
      throw error(hasSeenPackage ? .missingPackage(line: line) : .notStatusFile(line: line))
    }
    stanza.end = UInt32(truncatingIfNeeded: end)
    records.append(stanza)
    required.closeRow(keeping: !stanza.state.isRemoved)
    optional.closeRow(keeping: !stanza.state.isRemoved)
    provided.closeRow()
  }

  private var hasSeenPackage: Bool { fields.lastLine(of: .package) > 0 }

  /// The error for a malformed line; before any `Package:` field, the file is not a status file.
  private func malformed(_ range: Range<Int>) -> DatabaseError {
    let kind = DatabaseError.Kind.malformedLine(line: line, text: excerpt(range))
    return error(hasSeenPackage ? kind : .notStatusFile(line: line))
  }

  /// The start of a range as text, for messages.
  private func excerpt(_ range: Range<Int>) -> String {
    let limit = 60
    if range.count <= limit { return bytes.text(bytes.trimmed(range)) }
    return bytes.text(range.lowerBound..<range.lowerBound + limit) + "…"
  }

  private func error(_ kind: DatabaseError.Kind) -> DatabaseError {
    DatabaseError(path: path, kind: kind)
  }
}
