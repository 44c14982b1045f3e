/// The packages of one dpkg status file.
///
/// Its life, in this order:
/// 1. ``load(path:progress:)`` reads the file once, off the caller's actor, into one array.
/// 2. One pass checks every line and notes where each stanza is; names are numbered.
/// 3. The packages are sorted by name, then architecture, the native one first. A package's index
///    is its place in that order, from 0, and never changes.
/// 4. Whatever is asked for later is decoded from the array when it is asked for: a ``Package`` is
///    the database and an index.
///
/// It never changes after that; when the file changes, load another one. Beside the file's bytes
/// it keeps about 60 bytes a package, and the names and summaries once more, for searching.
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
  /// By name number: the first package of that name, or -1.
  let firstPackages: [Int32]
  /// By name: the packages that need it, among those that are not removed.
  let requiredBy: NameIndex
  /// By name: the packages that recommend or suggest it, among those that are not removed.
  let wantedBy: NameIndex
  /// By name: the packages that provide it.
  let providers: NameIndex
  /// The native architecture's number, or -1 if the file does not tell.
  let nativeArchitecture: Int32
  /// The number of the architecture `all`, or -1 if there is no such package.
  let allArchitecture: Int32
  /// Whether there is a package of an architecture neither native nor `all`.
  let hasForeignPackages: Bool
  let search: SearchIndex

  /// Parses the bytes of a status file.
  ///
  /// No bytes at all are a database without packages.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - path: what errors name.
  ///   - progress: told how far it is.
  /// - Throws: ``DatabaseError``, with the line.
  /// - Complexity: O(bytes + packages · log packages).
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

  /// How many packages there are, in whatever state.
  var count: Int { records.count }

  /// Reads and parses a status file, on the global executor.
  ///
  /// - Parameters:
  ///   - path: the file, Debian's own being `/var/lib/dpkg/status`.
  ///   - progress: called from another thread, at most ``LoadProgress/reportsPerStage`` times
  ///     for each stage.
  /// - Returns: the database.
  /// - Throws: ``DatabaseError``; its kind is `cancelled` soon after the task is cancelled.
  /// - Complexity: O(bytes), and as much memory as the file has bytes plus about a quarter.
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
