internal import Glibc
internal import Synchronization

extension FileSystem {
  /// Files in memory, for tests.
  ///
  /// Writing a file creates the folders that it is in. Copies share their files.
  ///
  /// - Parameters:
  ///   - files: texts by the paths of their files.
  ///   - date: gives the modification time of files that are written; 1970 by default.
  /// - Returns: the file system.
  public static func inMemory(
    _ files: [String: String] = [:],
    date: DateGenerator = .constant(Instant(secondsSinceEpoch: 0))
  ) -> FileSystem {
    FileSystem(Memory(files, date))
  }
}

private final class Memory: FileSystem.Implementation {
  private struct File {
    var bytes: [UInt8]
    var modified: Instant
  }

  private struct Content {
    var files: [String: File] = [:]
    /// All folders: with a file or a folder those that it is in are created.
    var folders: Set<String> = ["/"]
    /// The watches, each with the path of its file.
    var watches: [(path: String, watch: WeakWatch)] = []

    /// Why no file can be created at a path: it is a folder, or it lies below a file; as `errno`.
    func obstacle(at path: String) -> Int32? {
      if folders.contains(path) { return EISDIR }
      return Memory.folders(around: path).contains { files[$0] != nil } ? ENOTDIR : nil
    }

    /// Writes a file, and creates the folders that it is in.
    mutating func put(_ file: File, at path: String) {
      files[path] = file
      folders.formUnion(Memory.folders(around: path))
    }
  }

  private struct WeakWatch {
    weak var watch: Watch?
  }

  private final class Watch: Sendable {
    let didChange: @Sendable () -> Void
    init(_ didChange: @escaping @Sendable () -> Void) { self.didChange = didChange }
  }
  private let content: Mutex<Content>
  private let date: DateGenerator

  init(_ files: [String: String], _ date: DateGenerator) {
    self.date = date
    var content = Content()
    for (path, text) in files {
      content.put(File(bytes: Array(text.utf8), modified: date.now), at: Self.plain(path))
    }
    self.content = Mutex(content)
  }

  /// The absolute path, without `.` and without doubled or trailing slashes.
  private static func plain(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// The folders that a file or folder is in, outermost first.
  fileprivate static func folders(around path: String) -> [String] {
    path.indices.dropFirst().filter { path[$0] == "/" }.map { String(path[..<$0]) }
  }

  func read(_ path: String) throws(FileError) -> [UInt8] {
    let key = Self.plain(path)
    let found: Result<[UInt8], FileError> = content.withLock { content in
      if let file = content.files[key] { return .success(file.bytes) }
      let isFolder = content.folders.contains(key)
      return .failure(FileError(.read, path: path, code: isFolder ? EISDIR : ENOENT))
    }
    return try found.get()
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let key = Self.plain(path)
    let file = File(bytes: bytes, modified: date.now)
    let obstacle = content.withLock { content in
      if let obstacle = content.obstacle(at: key) { return obstacle as Int32? }
      content.put(file, at: key)
      return nil
    }
    if let obstacle { throw FileError(.write, path: path, code: obstacle) }
    notifyWatchers(key)
  }

  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    let key = Self.plain(path)
    let file = File(bytes: bytes, modified: date.now)
    let obstacle = content.withLock { content in
      if content.files[key] != nil || content.folders.contains(key) { return EEXIST as Int32? }
      if let obstacle = content.obstacle(at: key) { return obstacle }
      content.put(file, at: key)
      return nil
    }
    if let obstacle { throw FileError(.create, path: path, code: obstacle) }
    notifyWatchers(key)
  }

  func list(_ path: String) throws(FileError) -> [String] {
    let key = Self.plain(path)
    let beginning = key == "/" ? key : key + "/"
    let found: Result<[String], FileError> = content.withLock { content in
      guard content.files[key] == nil else {
        return .failure(FileError(.list, path: path, code: ENOTDIR))
      }
      guard content.folders.contains(key) else {
        return .failure(FileError(.list, path: path, code: ENOENT))
      }
      let inside = (Array(content.files.keys) + content.folders)
        .filter { $0.hasPrefix(beginning) && $0 != key }
        .map { String($0.dropFirst(beginning.count).prefix { $0 != "/" }) }
      return .success(Set(inside).sorted())
    }
    return try found.get()
  }

  func remove(_ path: String) throws(FileError) {
    let key = Self.plain(path)
    let code: Int32? = content.withLock { content in
      if content.files.removeValue(forKey: key) != nil { return nil }
      guard content.folders.contains(key) else { return ENOENT }
      let beginning = key + "/"
      let isEmpty =
        !content.files.keys.contains { $0.hasPrefix(beginning) }
        && !content.folders.contains { $0.hasPrefix(beginning) }
      guard key != "/", isEmpty else { return ENOTEMPTY }
      content.folders.remove(key)
      return nil
    }
    if let code { throw FileError(.remove, path: path, code: code) }
    notifyWatchers(key)
  }

  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    let watch = Watch(didChange)
    content.withLock { $0.watches.append((Self.plain(path), WeakWatch(watch: watch))) }
    return watch
  }

  private func notifyWatchers(_ key: String) {
    let watches = content.withLock { content in
      content.watches.removeAll { $0.watch.watch == nil }
      return content.watches.filter { $0.path == key }.compactMap(\.watch.watch)
    }
    for watch in watches { watch.didChange() }
  }

  func createDirectory(_ path: String) throws(FileError) {
    let key = Self.plain(path)
    let code = content.withLock { content -> Int32? in
      guard content.files[key] == nil else { return EEXIST }
      let around = Self.folders(around: key)
      guard !around.contains(where: { content.files[$0] != nil }) else { return ENOTDIR }
      content.folders.formUnion(around + [key])
      return nil
    }
    if let code { throw FileError(.createDirectory, path: path, code: code) }
  }

  func exists(_ path: String) -> Bool {
    let key = Self.plain(path)
    return content.withLock { $0.files[key] != nil || $0.folders.contains(key) }
  }

  func status(of path: String) throws(FileError) -> FileStatus {
    let key = Self.plain(path)
    let found = content.withLock { content -> FileStatus? in
      if let file = content.files[key] {
        return FileStatus(kind: .file, size: file.bytes.count, modified: file.modified)
      }
      guard content.folders.contains(key) else { return nil }
      return FileStatus(kind: .folder, size: 0, modified: Instant(secondsSinceEpoch: 0))
    }
    guard let found else { throw FileError(.stat, path: path, code: ENOENT) }
    return found
  }
}
