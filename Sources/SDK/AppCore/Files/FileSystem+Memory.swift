internal import Glibc
internal import Synchronization

extension FileSystem {
  /// Files in memory, for tests.
  ///
  /// Folders are there as soon as something is in them. Copies share their files.
  ///
  /// - Parameters:
  ///   - files: texts by the paths of their files.
  ///   - date: when a file is changed that is changed now; 1970 unless given.
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
    /// The folders that were made, besides those that files are in.
    var folders: Set<String> = ["/"]
    /// Those who follow files, by the paths of these.
    var watches: [(path: String, watch: WeakWatch)] = []

    func isFolder(_ path: String) -> Bool {
      let beginning = path == "/" ? path : path + "/"
      return folders.contains(path) || files.keys.contains { $0.hasPrefix(beginning) }
        || folders.contains { $0.hasPrefix(beginning) }
    }

    /// Why no file can be made at a path: a folder has its name, or one of its folders is a file.
    func obstacle(at path: String) -> Int32? {
      if isFolder(path) { return EISDIR }
      return files.keys.contains { path.hasPrefix("\($0)/") } ? ENOTDIR : nil
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
      content.files[Self.plain(path)] = File(bytes: Array(text.utf8), modified: date.now)
    }
    self.content = Mutex(content)
  }

  /// The path without doubled or trailing slashes.
  private static func plain(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  func read(_ path: String) throws(FileError) -> [UInt8] {
    let key = Self.plain(path)
    let found: Result<[UInt8], FileError> = content.withLock { content in
      if let file = content.files[key] { return .success(file.bytes) }
      return .failure(FileError(.read, path: path, code: content.isFolder(key) ? EISDIR : ENOENT))
    }
    return try found.get()
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let key = Self.plain(path)
    let file = File(bytes: bytes, modified: date.now)
    let obstacle = content.withLock { content in
      if let obstacle = content.obstacle(at: key) { return obstacle as Int32? }
      content.files[key] = file
      return nil
    }
    if let obstacle { throw FileError(.write, path: path, code: obstacle) }
    tellOfChange(key)
  }

  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    let key = Self.plain(path)
    let file = File(bytes: bytes, modified: date.now)
    let obstacle = content.withLock { content in
      if content.files[key] != nil || content.isFolder(key) { return EEXIST as Int32? }
      if let obstacle = content.obstacle(at: key) { return obstacle }
      content.files[key] = file
      return nil
    }
    if let obstacle { throw FileError(.create, path: path, code: obstacle) }
    tellOfChange(key)
  }

  func list(_ path: String) throws(FileError) -> [String] {
    let key = Self.plain(path)
    let beginning = key == "/" ? key : key + "/"
    let found: Result<[String], FileError> = content.withLock { content in
      guard content.files[key] == nil else {
        return .failure(FileError(.list, path: path, code: ENOTDIR))
      }
      guard content.isFolder(key) else {
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
      guard content.folders.contains(key) || content.isFolder(key) else { return ENOENT }
      content.folders.remove(key)
      guard content.isFolder(key) else { return nil }
      content.folders.insert(key)
      return ENOTEMPTY
    }
    if let code { throw FileError(.remove, path: path, code: code) }
    tellOfChange(key)
  }

  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    let watch = Watch(didChange)
    content.withLock { $0.watches.append((Self.plain(path), WeakWatch(watch: watch))) }
    return watch
  }

  private func tellOfChange(_ key: String) {
    let watches = content.withLock { content in
      content.watches.removeAll { $0.watch.watch == nil }
      return content.watches.filter { $0.path == key }.compactMap(\.watch.watch)
    }
    for watch in watches { watch.didChange() }
  }

  func createDirectory(_ path: String) throws(FileError) {
    let key = Self.plain(path)
    let isFile = content.withLock { content in
      guard content.files[key] == nil else { return true }
      content.folders.insert(key)
      return false
    }
    if isFile { throw FileError(.createDirectory, path: path, code: EEXIST) }
  }

  func exists(_ path: String) -> Bool {
    let key = Self.plain(path)
    return content.withLock { $0.files[key] != nil || $0.isFolder(key) }
  }

  func status(of path: String) throws(FileError) -> FileStatus {
    let key = Self.plain(path)
    let found = content.withLock { content -> FileStatus? in
      if let file = content.files[key] {
        return FileStatus(kind: .file, size: file.bytes.count, modified: file.modified)
      }
      guard content.isFolder(key) else { return nil }
      return FileStatus(kind: .folder, size: 0, modified: Instant(secondsSinceEpoch: 0))
    }
    guard let found else { throw FileError(.stat, path: path, code: ENOENT) }
    return found
  }
}
