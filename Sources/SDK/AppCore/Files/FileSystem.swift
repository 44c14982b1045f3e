internal import Glibc

/// The files of the machine, or of a test.
///
/// Methods that access files leave the store's thread and throw a ``FileError`` that names path and
/// cause.
public struct FileSystem: Sendable {
  /// An implementation of a file system; each method may block its thread.
  @_spi(Host)
  public protocol Implementation: Sendable {
    func read(_ path: String) throws(FileError) -> [UInt8]
    func write(_ bytes: [UInt8], to path: String) throws(FileError)
    func create(_ bytes: [UInt8], at path: String) throws(FileError)
    func list(_ path: String) throws(FileError) -> [String]
    func remove(_ path: String) throws(FileError)
    func createDirectory(_ path: String) throws(FileError)
    func exists(_ path: String) throws(FileError) -> Bool
    func status(of path: String) throws(FileError) -> FileStatus
    /// Locks a file, which need not exist, against other processes that lock it before they read,
    /// change and write it.
    ///
    /// - Returns: an object that keeps the file locked while it is retained; `nil` if the file can't
    ///   be locked, or another process does not unlock it in a second.
    func lock(_ path: String) -> (any AnyObject & Sendable)?
    /// Watches a file, which need not exist, its folder must; `didChange` is called on any thread when
    /// the file may have changed.
    ///
    /// - Returns: an object that keeps the watch active while it is retained; `nil` if the file
    ///   can't be watched.
    func watch(
      _ path: String, _ didChange: @escaping @Sendable () -> Void
    ) -> (any AnyObject & Sendable)?
  }
  let files: any Implementation

  @_spi(Host) public init(_ files: some Implementation) { self.files = files }

  /// The host's implementation, set before the first feature runs; `nil` in a process without a host.
  @_spi(Host) public static let live = Guarded<FileSystem?>(nil)

  /// Reads the bytes of a file.
  @concurrent
  public func read(_ path: String) async throws(FileError) -> [UInt8] { try files.read(path) }

  /// Reads a file as text; invalid UTF-8 becomes `U+FFFD`.
  @concurrent
  public func readText(_ path: String) async throws(FileError) -> String {
    String(decoding: try files.read(path), as: UTF8.self)
  }

  /// Creates or replaces a file atomically.
  ///
  /// The bytes are written to a new file in the same folder, which is renamed once they are on
  /// disk: neither a crash nor a power failure leaves half a file. It keeps the permissions of the
  /// file that it replaces.
  @concurrent
  public func write(
    _ bytes: [UInt8], to path: String
  ) async throws(FileError) { try files.write(bytes, to: path) }

  /// Creates or replaces a file with UTF-8 text, atomically.
  @concurrent
  public func write(_ text: String, to path: String) async throws(FileError) {
    try files.write(Array(text.utf8), to: path)
  }

  /// Creates a file atomically if it does not exist.
  ///
  /// If several processes create the same file, one succeeds; the others get an error for which
  /// ``FileError/isAlreadyThere`` is true. As in ``write(_:to:)-([UInt8],_)``, the file gets its
  /// name once its bytes are on disk.
  @concurrent
  public func create(_ bytes: [UInt8], at path: String) async throws(FileError) {
    try files.create(bytes, at: path)
  }

  /// Creates a file with UTF-8 text atomically if it does not exist.
  @concurrent
  public func create(_ text: String, at path: String) async throws(FileError) {
    try files.create(Array(text.utf8), at: path)
  }

  /// Returns the names in a folder, sorted, without `.` and `..`.
  @concurrent
  public func list(_ path: String) async throws(FileError) -> [String] {
    try files.list(path)
  }

  /// Removes a file, or an empty folder.
  @concurrent
  public func remove(_ path: String) async throws(FileError) { try files.remove(path) }

  /// Creates a directory and its parents; does nothing if it exists.
  ///
  /// New directories are on disk when this returns.
  @concurrent
  public func createDirectory(_ path: String) async throws(FileError) {
    try files.createDirectory(path)
  }

  /// Whether a file or a folder exists.
  ///
  /// - Throws: an error if that can't be determined, as in a folder without search permission.
  @concurrent
  public func exists(_ path: String) async throws(FileError) -> Bool {
    try files.exists(path)
  }

  /// A stream with an element whenever a file may have changed, whatever process changed it.
  ///
  /// ```swift
  /// func follow(_ path: String) async throws {
  ///   @Dependency(\.fileSystem) var fileSystem
  ///   for await _ in fileSystem.changes(of: path) {
  ///     print(try await fileSystem.readText(path))
  ///   }
  /// }
  /// ```
  ///
  /// It ends immediately if the file can't be watched, for example because its folder does not
  /// exist.
  public func changes(of path: String) -> EventStream<Void> {
    EventStream(keepingNewest: 1) { continuation in
      guard let watch = files.watch(path, { continuation.yield(()) }) else {
        return continuation.finish()
      }
      continuation.onTermination { withExtendedLifetime(watch) {} }
    }
  }

  /// Returns a file's metadata; symbolic links are followed.
  @concurrent
  public func status(of path: String) async throws(FileError) -> FileStatus {
    try files.status(of: path)
  }
}

/// A file's metadata.
public struct FileStatus: Hashable, Sendable {
  /// The kind of a directory entry.
  public enum Kind: Hashable, Sendable {
    case file
    case folder
    /// A device, a socket or a pipe; reading it may block forever.
    case other
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The size of a file in bytes.
  public let size: Int
  /// The time of the last modification.
  public let modified: Instant

  public init(kind: Kind, size: Int, modified: Instant) {
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}

@_spi(Host)
extension FileSystem.Implementation {
  // Files that other processes can't reach.
  public func lock(_ path: String) -> (any AnyObject & Sendable)? { nil }
}

extension DependencyValues {
  /// The files of the machine.
  ///
  /// ```swift
  /// func save(_ text: String) async throws {
  ///   @Dependency(\.fileSystem) var fileSystem
  ///   try await fileSystem.write(text, to: "/var/lib/notes/today")
  /// }
  ///
  /// // In a test, files in memory:
  /// func saves() async throws -> String {
  ///   let files = FileSystem.inMemory()
  ///   try await withDependencies {
  ///     $0.fileSystem = files
  ///   } operation: {
  ///     try await save("Call Ada.")
  ///   }
  ///   return try await files.readText("/var/lib/notes/today")
  /// }
  /// ```
  public var fileSystem: FileSystem {
    get { self[FileSystemKey.self] }
    set { self[FileSystemKey.self] = newValue }
  }

  /// The file system that was set; `nil` if none was.
  var chosenFileSystem: FileSystem? { chosen(FileSystemKey.self) }
}

private enum FileSystemKey: DependencyKey {
  static var liveValue: FileSystem { FileSystem.live.value ?? FileSystem(NoFiles()) }
}

/// The files of a process without a host: every access fails, and is reported except for watches.
private struct NoFiles: FileSystem.Implementation {
  private func refuse(_ operation: FileError.Operation, _ path: String) -> FileError {
    RuntimeIssue.report(
      """
      a feature uses the file '\(path)', and no host gives this process the machine's files
        - set '\\.fileSystem', as with 'FileSystem.inMemory()'
      """)
    return FileError(operation, path: path, code: ENOSYS)
  }

  func read(_ path: String) throws(FileError) -> [UInt8] { throw refuse(.read, path) }
  func write(_ bytes: [UInt8], to path: String) throws(FileError) { throw refuse(.write, path) }
  func create(_ bytes: [UInt8], at path: String) throws(FileError) { throw refuse(.create, path) }
  func list(_ path: String) throws(FileError) -> [String] { throw refuse(.list, path) }
  func remove(_ path: String) throws(FileError) { throw refuse(.remove, path) }
  func createDirectory(_ path: String) throws(FileError) { throw refuse(.createDirectory, path) }
  func exists(_ path: String) throws(FileError) -> Bool { throw refuse(.stat, path) }
  func status(of path: String) throws(FileError) -> FileStatus { throw refuse(.stat, path) }

  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { nil }
}
