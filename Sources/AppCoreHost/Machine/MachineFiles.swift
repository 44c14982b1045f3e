@_spi(Host) internal import AppCore
internal import Dispatch
internal import Glibc
internal import PluginHost
internal import Support
internal import Synchronization

/// The file system of the machine, by system calls.
///
/// Calls that a signal interrupts are repeated. Each method blocks its thread.
struct MachineFiles: FileSystem.Implementation {
  func read(_ path: String) throws(FileError) -> [UInt8] {
    try attempt(.read, path) { () throws(SystemError) in try WholeFile.read(path, waits: true) }
  }

  private func attempt<Result>(
    _ operation: FileError.Operation, _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do { return try body() } catch { throw FileError(operation, path: path, code: error.code) }
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try attempt(.write, path) { () throws(SystemError) in
      try FileReplacement.write(bytes, to: path, newMode: FileReplacement.usualMode)
    }
    // Beside the target, if the path is a link to it.
    let target = FilePath.resolved(path) ?? path
    if let code = flush(FilePath.folder(of: target)) {
      throw FileError(.write, path: path, code: code)
    }
  }

  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    try attempt(.create, path) { () throws(SystemError) in
      try FileReplacement.write(
        bytes, to: path, followsLinks: false, newMode: FileReplacement.usualMode, isNew: true)
    }
    if let code = flush(FilePath.folder(of: path)) {
      unlink(path)
      throw FileError(.create, path: path, code: code)
    }
  }

  /// Flushes a folder to the disk, so that the names of new files in it survive a power failure;
  /// returns the error number, `nil` on success.
  ///
  /// Flushing needs the permission to read the folder; without that it is skipped.
  private func flush(_ folder: String) -> Int32? {
    let opened = Descriptor.uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return errno == EACCES ? nil : errno }
    defer { close(opened) }
    // Some file systems can't flush a folder.
    return Descriptor.uninterrupted({ fsync(opened) }) == 0 || errno == EINVAL ? nil : errno
  }

  func list(_ path: String) throws(FileError) -> [String] {
    guard let names = FilePath.names(in: path) else {
      throw FileError(.list, path: path, code: errno)
    }
    return names.sorted()
  }

  func remove(_ path: String) throws(FileError) {
    guard Glibc.remove(path) == 0 else { throw FileError(.remove, path: path, code: errno) }
  }

  func createDirectory(_ path: String) throws(FileError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o777) == 0 {
        // Files in a new folder survive a power failure only if its own name does.
        if let code = flush(FilePath.folder(of: made)) {
          throw FileError(.createDirectory, path: path, code: code)
        }
        continue
      }
      guard errno != EEXIST else { continue }
      let code = errno
      // For a folder that exists, the error may be that its parent is not writable.
      guard FilePath.isFolder(made) else {
        throw FileError(.createDirectory, path: path, code: code)
      }
    }
    guard FilePath.isFolder(path) else {
      throw FileError(.createDirectory, path: path, code: EEXIST)
    }
  }

  func exists(_ path: String) throws(FileError) -> Bool {
    if FilePath.status(path, followsLinks: false) != nil { return true }
    let error = FileError(.stat, path: path, code: errno)
    guard error.isNotFound else { throw error }
    return false
  }

  func status(of path: String) throws(FileError) -> FileStatus {
    guard let status = FilePath.status(path) else {
      throw FileError(.stat, path: path, code: errno)
    }
    let kind: FileStatus.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    let modified = status.st_mtim
    return FileStatus(
      kind: kind, size: Int(status.st_size),
      modified: Instant(
        sinceEpoch: .seconds(modified.tv_sec) + .nanoseconds(modified.tv_nsec)))
  }

  func lock(_ path: String) -> (any AnyObject & Sendable)? {
    FolderLock(FilePath.folder(of: FilePath.resolved(path) ?? path))
  }

  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { FileWatches.shared?.watch(path, didChange) }
}

/// Locks a folder while it is retained: a file in it is replaced when it is written, and a lock of
/// the file would be lost.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Waits a second at most: a process that is stopped must not stop others.
  init?(_ folder: String, tries: Int = 100) {
    descriptor = Descriptor.uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0, Descriptor.lock(descriptor, tries: tries) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Watches single files, with one inotify instance for the whole process.
///
/// It follows the files' folders, because most programs replace a file instead of writing to it. A
/// file has changed when it was closed after writing, when another one was renamed to its name, or
/// when it was removed.
final class FileWatches: @unchecked Sendable {
  // Unchecked: `events` is set once, and used only while `watches` is locked.
  fileprivate typealias Watch = (folder: String, name: String, didChange: @Sendable () -> Void)

  /// Keeps a watch active while it is retained.
  private final class Token: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  /// The watches of this process; `nil` if the system grants no inotify instance.
  static let shared = FileWatches()

  private var events: FileEvents?
  private let watches = Mutex<[Int: Watch]>([:])
  private let number = Atomic(0)

  private init?() {
    let queue = DispatchQueue(label: "appcore-files")
    events = try? FileEvents(on: queue) { [weak self] in self?.read() }
    if events == nil { return nil }
  }

  /// Watches a file, which need not exist; its folder must.
  ///
  /// `didChange` is called on a queue of the watches when the file may have changed.
  ///
  /// - Returns: an object that keeps the watch active while it is retained; `nil` if the file can't
  ///   be watched.
  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    let path = FilePath.resolved(path) ?? path
    guard let slash = path.lastIndex(of: "/"),
      let folder = FilePath.resolved(slash == path.startIndex ? "/" : String(path[..<slash]))
    else { return nil }
    let watch = (folder, String(path[path.index(after: slash)...]), didChange)
    let id = number.add(1, ordering: .relaxed).newValue
    let isFollowed = watches.withLock { watches in
      guard (try? events?.add(folder)) != nil else { return false }
      watches[id] = watch
      return true
    }
    return isFollowed
      ? Token { [self] in watches.withLock { _ = $0.removeValue(forKey: id) } } : nil
  }

  private func read() {
    let changed = watches.withLock { watches in
      let events = events?.read() ?? []
      return watches.values.filter { watch in events.contains { $0.concerns(watch) } }
    }
    for watch in changed { watch.didChange() }
  }
}

extension FileEvents.Event {
  fileprivate func concerns(_ watch: FileWatches.Watch) -> Bool {
    switch kind {
    case .changed: folder == watch.folder && name == watch.name
    case .lost: folder == watch.folder
    case .overflow: true
    case .created, .written, .folder: false
    }
  }
}

/// Opens URLs with the desktop's `xdg-open`, whose standard streams are `/dev/null`.
enum DesktopURLs {
  /// How long to wait for a failure, in units of 10 ms; a program that runs longer has succeeded.
  private static let timeout = 100

  static func open(_ url: String) async throws(OpenURLError) {
    guard isURL(url) else { throw OpenURLError(url: url, reason: "it has no scheme, as 'https:'") }
    let failure = await withCheckedContinuation { continuation in
      // A queue of its own, because waiting for a process blocks.
      DispatchQueue(label: "appcore-xdg-open").async {
        run(url) { continuation.resume(returning: $0) }
      }
    }
    if let failure { throw OpenURLError(url: url, reason: failure) }
  }

  /// Whether `text` begins with a scheme, so that `xdg-open` takes it for neither an option nor a
  /// file.
  static func isURL(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII,
      first.isLetter, !text.utf8.contains(0)
    else { return false }
    return text[..<colon].allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
    }
  }

  /// Runs the program to its end; `finish` is called with the failure as soon as it is known, or
  /// with `nil`.
  private static func run(_ url: String, _ finish: (String?) -> Void) {
    let environment = ProcessVariables.all
    guard let program = Spawn.find("xdg-open", environment: environment) else {
      return finish("there is no program 'xdg-open'; install 'xdg-utils'")
    }
    let process: pid_t
    do throws(SystemError) {
      let null = try OpenFile.null()
      process = try Spawn.start(
        program, [url], environment: environment, descriptors: [null, null])
    } catch {
      return finish("'xdg-open' can't be started: \(error)")
    }
    var result: Int32 = 0
    for _ in 0..<timeout {
      let ended = Descriptor.uninterrupted { waitpid(process, &result, WNOHANG) }
      guard ended == 0 else {
        guard ended > 0, result != 0 else { return finish(nil) }
        let signal = result & 0x7f
        return finish(
          signal == 0
            ? "'xdg-open' ended with status \(result >> 8 & 0xff)"
            : "'xdg-open' was ended by signal \(signal)")
      }
      usleep(10_000)
    }
    finish(nil)
    _ = Descriptor.uninterrupted { waitpid(process, &result, 0) }
  }
}
