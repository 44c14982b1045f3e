internal import Glibc
internal import Synchronization

extension FileSystem {
  /// Files in memory, for tests: texts by the paths of their files, and what dates those that are
  /// written; copies share their files, and writing one creates the folders that it is in.
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

    func requireNoFile(
      above key: String, _ operation: FileError.Operation, _ path: String
    ) throws(FileError) {
      guard !Memory.folders(around: key).contains(where: { files[$0] != nil }) else {
        throw FileError(operation, path: path, code: ENOTDIR)
      }
    }

    /// The paths, from a folder, of all that is in it.
    func paths(in folder: String) -> [Substring] {
      let beginning = folder == "/" ? folder : folder + "/"
      return (Array(files.keys) + folders).filter { $0.hasPrefix(beginning) && $0 != folder }
        .map { $0.dropFirst(beginning.count) }
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
    return try content.withLock { content throws(FileError) in
      if let file = content.files[key] { return file.bytes }
      let isFolder = content.folders.contains(key)
      throw FileError(.read, path: path, code: isFolder ? EISDIR : ENOENT)
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try put(bytes, at: path, .write)
  }

  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    try put(bytes, at: path, .create)
  }

  private func put(
    _ bytes: [UInt8], at path: String, _ operation: FileError.Operation
  ) throws(FileError) {
    let key = Self.plain(path)
    let file = File(bytes: bytes, modified: date.now)
    try content.withLock { content throws(FileError) in
      let isFolder = content.folders.contains(key)
      guard operation == .write || content.files[key] == nil && !isFolder else {
        throw FileError(operation, path: path, code: EEXIST)
      }
      if isFolder { throw FileError(operation, path: path, code: EISDIR) }
      try content.requireNoFile(above: key, operation, path)
      content.put(file, at: key)
    }
    notifyWatchers(key)
  }

  func list(_ path: String) throws(FileError) -> [String] {
    let key = Self.plain(path)
    return try content.withLock { content throws(FileError) in
      guard content.folders.contains(key) else {
        let isFile = content.files[key] != nil
        throw FileError(.list, path: path, code: isFile ? ENOTDIR : ENOENT)
      }
      return Set(content.paths(in: key).map { String($0.prefix { $0 != "/" }) }).sorted()
    }
  }

  func remove(_ path: String) throws(FileError) {
    let key = Self.plain(path)
    try content.withLock { content throws(FileError) in
      if content.files.removeValue(forKey: key) != nil { return }
      guard content.folders.contains(key) else {
        throw FileError(.remove, path: path, code: ENOENT)
      }
      guard key != "/", content.paths(in: key).isEmpty else {
        throw FileError(.remove, path: path, code: ENOTEMPTY)
      }
      content.folders.remove(key)
    }
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
    try content.withLock { content throws(FileError) in
      guard content.files[key] == nil else {
        throw FileError(.createDirectory, path: path, code: EEXIST)
      }
      try content.requireNoFile(above: key, .createDirectory, path)
      content.folders.formUnion(Self.folders(around: key) + [key])
    }
  }

  func exists(_ path: String) -> Bool { (try? status(of: path)) != nil }

  func status(of path: String) throws(FileError) -> FileStatus {
    let key = Self.plain(path)
    return try content.withLock { content throws(FileError) in
      if let file = content.files[key] {
        return FileStatus(kind: .file, size: file.bytes.count, modified: file.modified)
      }
      guard content.folders.contains(key) else {
        throw FileError(.stat, path: path, code: ENOENT)
      }
      return FileStatus(kind: .folder, size: 0, modified: Instant(secondsSinceEpoch: 0))
    }
  }
}
