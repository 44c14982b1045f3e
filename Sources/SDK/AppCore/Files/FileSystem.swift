/// The files of the machine, or of a test.
///
/// Every method leaves the store's thread, and throws a ``FileError`` that names path and cause.
public struct FileSystem: Sendable {
  /// What a file system does; each function may block the thread it runs on.
  struct Functions: Sendable {
    var read: @Sendable (_ path: String) throws(FileError) -> [UInt8]
    var write: @Sendable (_ bytes: [UInt8], _ path: String) throws(FileError) -> Void
    var create: @Sendable (_ bytes: [UInt8], _ path: String) throws(FileError) -> Void
    var list: @Sendable (_ path: String) throws(FileError) -> [String]
    var remove: @Sendable (_ path: String) throws(FileError) -> Void
    var makeFolder: @Sendable (_ path: String) throws(FileError) -> Void
    var exists: @Sendable (_ path: String) throws(FileError) -> Bool
    var status: @Sendable (_ path: String) throws(FileError) -> FileStatus
  }
  private let functions: Functions

  init(_ functions: Functions) { self.functions = functions }

  /// The content of a file.
  @concurrent
  public func read(_ path: String) async throws(FileError) -> [UInt8] { try functions.read(path) }

  /// The content of a file as text; bytes that are no UTF-8 become `U+FFFD`.
  @concurrent
  public func readText(_ path: String) async throws(FileError) -> String {
    String(decoding: try functions.read(path), as: UTF8.self)
  }

  /// Makes or replaces a file, whole or not at all.
  ///
  /// The bytes go to a new file beside it, which takes its name once they are on the disk: neither a
  /// crash nor a power failure leaves half a file. It keeps the permissions of the one it replaces.
  @concurrent
  public func write(
    _ bytes: [UInt8], to path: String
  ) async throws(FileError) { try functions.write(bytes, path) }

  /// Makes or replaces a file with a text in UTF-8, whole or not at all.
  @concurrent
  public func write(_ text: String, to path: String) async throws(FileError) {
    try functions.write(Array(text.utf8), path)
  }

  /// Makes a file where there is none yet, whole or not at all.
  ///
  /// Of several processes that create the same file one succeeds; the others' error says
  /// ``FileError/isAlreadyThere``. The file has its name once its bytes are on the disk, as for
  /// ``write(_:to:)-([UInt8],_)``.
  @concurrent
  public func create(_ bytes: [UInt8], at path: String) async throws(FileError) {
    try functions.create(bytes, path)
  }

  /// Makes a file with a text in UTF-8 where there is none yet, whole or not at all.
  @concurrent
  public func create(_ text: String, at path: String) async throws(FileError) {
    try functions.create(Array(text.utf8), path)
  }

  /// The names in a folder, sorted, without `.` and `..`.
  @concurrent
  public func list(_ path: String) async throws(FileError) -> [String] {
    try functions.list(path)
  }

  /// Removes a file, or an empty folder.
  @concurrent
  public func remove(_ path: String) async throws(FileError) { try functions.remove(path) }

  /// Makes a folder, and those it stands in; where it is there already, nothing happens.
  ///
  /// Folders that were made are on the disk when this returns.
  @concurrent
  public func makeFolder(_ path: String) async throws(FileError) {
    try functions.makeFolder(path)
  }

  /// Whether there is a file or a folder.
  ///
  /// - Throws: where that can't be known, as in a folder that may not be searched.
  @concurrent
  public func exists(_ path: String) async throws(FileError) -> Bool {
    try functions.exists(path)
  }

  /// What a file is, how large, and when it was changed; of a link, what it leads to.
  @concurrent
  public func status(of path: String) async throws(FileError) -> FileStatus {
    try functions.status(path)
  }
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
}

private enum FileSystemKey: DependencyKey {
  static var liveValue: FileSystem { .machine }
}
