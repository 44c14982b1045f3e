import Dispatch
import Testing

@_spi(Host) @testable import AppCore

/// Files in memory that can fail, and that another program can change.
final class Disk: FileSystem.Implementation {
  let failure = Guarded<Int32?>(nil)
  let readFailure = Guarded<Int32?>(nil)
  let writes = Guarded(0)
  /// Called once, before the next write.
  let willWrite = Guarded<(@Sendable () -> Void)?>(nil)
  /// Called when a lock is waited for.
  let willWait = Guarded<@Sendable () -> Void>({})
  private let isUnlocked = DispatchSemaphore(value: 1)
  private let memory: FileSystem

  init(_ files: [String: String] = [:]) { memory = .inMemory(files) }

  /// What another program does: it writes a text to a file.
  func put(_ text: String, at path: String) {
    do {
      try memory.files.write(Array(text.utf8), to: path)
    } catch {
      Issue.record(error)
    }
  }

  func text(_ path: String) -> String? {
    (try? memory.files.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  func read(_ path: String) throws(FileError) -> [UInt8] {
    if let code = readFailure.value { throw FileError(.read, path: path, code: code) }
    return try memory.files.read(path)
  }
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if let code = failure.value { throw FileError(.write, path: path, code: code) }
    willWrite.change { hook in hook.take() }?()
    writes.change { $0 += 1 }
    try memory.files.write(bytes, to: path)
  }
  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    try memory.files.create(bytes, at: path)
  }
  func list(_ path: String) throws(FileError) -> [String] { try memory.files.list(path) }
  func remove(_ path: String) throws(FileError) { try memory.files.remove(path) }
  func createDirectory(_ path: String) throws(FileError) {
    try memory.files.createDirectory(path)
  }
  func exists(_ path: String) throws(FileError) -> Bool { try memory.files.exists(path) }
  func status(of path: String) throws(FileError) -> FileStatus {
    try memory.files.status(of: path)
  }

  /// Locks all files, and blocks the thread until they are unlocked.
  func lock(_ path: String) -> (any AnyObject & Sendable)? {
    if isUnlocked.wait(timeout: .now()) == .timedOut {
      willWait.value()
      isUnlocked.wait()
    }
    return Lock(isUnlocked)
  }

  private final class Lock: Sendable {
    private let isUnlocked: DispatchSemaphore
    init(_ isUnlocked: DispatchSemaphore) { self.isUnlocked = isUnlocked }
    deinit { isUnlocked.signal() }
  }

  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { memory.files.watch(path, didChange) }
}
