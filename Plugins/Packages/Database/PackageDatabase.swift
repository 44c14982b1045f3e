/// The packages of one dpkg status file.
///
/// Its life, in this order:
/// 1. ``load(path:progress:)`` reads the file once, off the caller's actor, into one array.
/// 2. One pass checks every line, records the range of each stanza, and numbers the names.
/// 3. The packages are sorted by name, then architecture, the native one first. A package's index
///    is its position in that order, counted from 0, and never changes.
/// 4. Everything else is decoded from the array on access: a ``Package`` is the database and an
///    index.
///
/// The database is immutable; when the file changes, load another one. In addition to the file's
/// bytes it keeps about 60 bytes a package, and a copy of the names and summaries for searching.
final class PackageDatabase: Sendable {
  /// The file it was read from.
  let path: String
  /// The indices of all packages, `0..<count`, as a list.
  let allIndices: [Int32]
  /// How many packages are installed.
  let installedCount: Int

  let bytes: [UInt8]
  let records: [StanzaRecord]
  let names: NameTable
  let architectures: NameTable
  /// The first package with each name, by name number; -1 if there is none.
  let firstPackages: [Int32]
  /// The packages that require each name, except removed packages.
  let requiredBy: NameIndex
  /// The packages that recommend or suggest each name, except removed packages.
  let wantedBy: NameIndex
  /// The packages that provide each name.
  let providers: NameIndex
  /// The native architecture's number, or -1 if it is not known from the file.
  let nativeArchitecture: Int32
  /// The number of the architecture `all`, or -1 if there is no such package.
  let allArchitecture: Int32
  /// Whether there is a package whose architecture is neither native nor `all`.
  let hasForeignPackages: Bool
  let search: SearchIndex

  /// Parses the bytes of a status file.
  ///
  /// An empty file is a database without packages.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: the path for error messages.
  ///   - progress: reports the progress, and checks for cancellation.
  /// - Throws: ``DatabaseError``, with the line.
  /// - Complexity: O(*n* + *p* log *p*), where *n* is the number of bytes and *p* the number of
  ///   packages.
  init(
    parsing bytes: [UInt8], path: String, progress: ProgressReporter = ProgressReporter()
  ) throws(DatabaseError) {
    let parsed = try Self.parse(bytes, path: path, progress: progress)
    let order = PackageOrder(parsed)
    try order.refuseDuplicates(path: path)
    let count = parsed.names.count

    self.path = path
    self.bytes = bytes
    names = parsed.names
    architectures = parsed.architectures
    records = order.stanzas.map { parsed.records[Int($0)] }
    allIndices = [Int32](0..<Int32(truncatingIfNeeded: records.count))
    installedCount = records.count { $0.state == .installed }
    nativeArchitecture = order.native
    allArchitecture = order.all
    hasForeignPackages = records.contains {
      order.rank(ofArchitecture: $0.architecture) == PackageOrder.foreignRank
    }
    var firstPackages = [Int32](repeating: -1, count: count)
    for index in allIndices.reversed() { firstPackages[Int(records[Int(index)].name)] = index }
    self.firstPackages = firstPackages
    requiredBy = NameIndex(parsed.required, order: order.stanzas, nameCount: count)
    wantedBy = NameIndex(parsed.optional, order: order.stanzas, nameCount: count)
    providers = NameIndex(parsed.provided, order: order.stanzas, nameCount: count)
    search = SearchIndex(records, names: parsed.names, bytes: bytes)
  }

  /// The number of packages, in any state.
  var count: Int { records.count }

  /// Reads and parses a status file, on the global executor.
  ///
  /// - Parameters:
  ///   - path: the path of the file; Debian's own is `/var/lib/dpkg/status`.
  ///   - progress: called from another thread, at most ``LoadProgress/reportsPerStage`` times
  ///     for each stage.
  /// - Returns: the database.
  /// - Throws: ``DatabaseError``; its kind is `cancelled` soon after the task is cancelled.
  /// - Complexity: O(*n*), where *n* is the size of the file in bytes, for a sorted file as dpkg
  ///   writes it. It takes about 1.25 *n* bytes of memory.
  @concurrent
  static func load(
    path: String, progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }
  ) async throws(DatabaseError) -> PackageDatabase {
    if Task.isCancelled { throw DatabaseError(path: path, kind: .cancelled) }
    let reporter = ProgressReporter(progress)
    let bytes = try StatusFile(path: path, progress: reporter).read()
    return try PackageDatabase(parsing: bytes, path: path, progress: reporter)
  }

  private static func parse(
    _ bytes: [UInt8], path: String, progress: ProgressReporter
  ) throws(DatabaseError) -> StatusParser {
    guard bytes.count <= DatabaseError.largestSize else {
      throw DatabaseError(path: path, kind: .tooLarge(bytes: bytes.count))
    }
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<StatusParser, DatabaseError> in
      let zero = bytes.firstPosition(of: 0, in: 0..<bytes.count)
      if zero < bytes.count {
        let line = bytes[..<zero].count { $0 == .newline } + 1
        return .failure(DatabaseError(path: path, kind: .binary(line: line)))
      }
      var parser = StatusParser(bytes, path: path, progress: progress)
      do throws(DatabaseError) {
        try parser.parse()
        return .success(parser)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
