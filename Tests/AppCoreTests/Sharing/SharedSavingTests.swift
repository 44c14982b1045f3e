import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@_spi(Host) @testable import AppCore

@Suite("Saving shared values")
struct SharedSavingTests {
  private struct Settings: Codable, Equatable, Sendable, Defaulted {
    var size = 12
    var limit: Int? = 5
  }

  private let path = "/a/s.json"
  private let disk = Disk()

  /// A process that writes only what it is asked to, or all changes at once.
  private func process(writesAtOnce: Bool = false) -> SharingProcess {
    SharingProcess(FileSystem(disk), delay: writesAtOnce ? nil : .seconds(3600))
  }

  private func sharedSettings() -> Shared<Settings> {
    Shared(wrappedValue: Settings(), .file(path))
  }

  @Test("A field that is nil and has a default stays nil; one that the file lacks has its default")
  func absent() async throws {
    try await process().run {
      let settings = sharedSettings()
      settings.withLock { $0.limit = nil }
      try await settings.save()
      #expect(disk.text(path) == "{\n  \"limit\": null,\n  \"size\": 12\n}\n")
    }
    await process().run { #expect(sharedSettings().wrappedValue.limit == nil) }
    disk.put(#"{"size": 1}"#, at: path)
    await process().run { #expect(sharedSettings().wrappedValue == Settings(size: 1)) }
  }

  // MARK: Conflicts

  /// Expects that `settings` have the size 2, the file 3, and that this was reported.
  private func expectConflict(
    _ settings: Shared<Settings>, _ process: SharingProcess,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let error = await #expect(throws: SharedError.self, sourceLocation: sourceLocation) {
      try await settings.save()
    }
    #expect(error?.cause == .conflict, sourceLocation: sourceLocation)
    #expect(settings.storageError?.cause == .conflict, sourceLocation: sourceLocation)
    #expect(settings.wrappedValue.size == 2, sourceLocation: sourceLocation)
    #expect(disk.text(path) == #"{"size": 3}"#, sourceLocation: sourceLocation)
    #expect(process.reports.value.count == 1, sourceLocation: sourceLocation)
    // As the report says, the file is used once it is saved again.
    disk.put(#"{"size": 4}"#, at: path)
    #expect(settings.wrappedValue.size == 4, sourceLocation: sourceLocation)
    #expect(settings.storageError == nil, sourceLocation: sourceLocation)
  }

  @Test("A file that changes within a change is a conflict", arguments: [true, false])
  func changeWithinChange(writesAtOnce: Bool) async {
    let process = process(writesAtOnce: writesAtOnce)
    await process.run {
      let settings = sharedSettings()
      settings.withLock { settings in
        disk.put(#"{"size": 3}"#, at: path)
        settings.size = 2
      }
      await expectConflict(settings, process)
    }
  }

  /// A value whose decoding takes as long as another thread needs to change it.
  private struct SlowToDecode: Codable, Equatable, Sendable {
    static let didDecode = Guarded<(@Sendable () -> Void)?>(nil)
    var size = 1

    init() {}
    init(from decoder: any Decoder) throws {
      size = try decoder.singleValueContainer().decode(Int.self)
      Self.didDecode.change { hook in hook.take() }?()
    }
    func encode(to encoder: any Encoder) throws { try size.encode(to: encoder) }
  }

  @Test("A file that changes during a change on another thread is a conflict")
  func changeDuringChange() async {
    let process = process()
    await process.run {
      let slow = Shared(wrappedValue: SlowToDecode(), .file(path))
      let (isDecoded, threads) = (DispatchSemaphore(value: 0), DispatchGroup())
      SlowToDecode.didDecode.value = { isDecoded.signal() }
      threads.enter()
      threads.enter()
      Thread.detachNewThread { [disk, path] in
        slow.withLock { slow in
          Thread.detachNewThread {
            disk.put("3", at: path)
            threads.leave()
          }
          isDecoded.wait()
          slow.size = 2
        }
        threads.leave()
      }
      await withCheckedContinuation { continuation in
        threads.notify(queue: .global()) { continuation.resume() }
      }
      #expect(slow.wrappedValue.size == 2)
      let error = await #expect(throws: SharedError.self) { try await slow.save() }
      #expect(error?.cause == .conflict)
      #expect(disk.text(path) == "3")
      disk.put("4", at: path)
      #expect(slow.wrappedValue.size == 4 && slow.storageError == nil)
    }
  }

  /// A value whose encoding takes as long as another program needs to change its file.
  private struct SlowToEncode: Codable, Equatable, Sendable {
    static let willEncode = Guarded<(@Sendable () -> Void)?>(nil)
    var size = 1

    init() {}
    init(from decoder: any Decoder) throws { size = try Int(from: decoder) }
    func encode(to encoder: any Encoder) throws {
      Self.willEncode.change { hook in hook.take() }?()
      try size.encode(to: encoder)
    }
  }

  @Test("A file that changes while the changed value is encoded is a conflict")
  func changeDuringSave() async {
    let process = process()
    await process.run {
      let slow = Shared(wrappedValue: SlowToEncode(), .file(path))
      slow.withLock { $0.size = 2 }
      SlowToEncode.willEncode.value = { [disk, path] in disk.put("3", at: path) }
      let error = await #expect(throws: SharedError.self) { try await slow.save() }
      #expect(error?.cause == .conflict)
      #expect(slow.wrappedValue.size == 2)
      #expect(disk.text(path) == "3")
      #expect(process.reports.value.count == 1)
    }
  }

  @Test("Two processes that save a settings file at the same time keep each other's changes")
  func twoProcesses() async {
    func setting(_ key: String) async -> Shared<Int> {
      await process(writesAtOnce: true).run { Shared(wrappedValue: 1, .setting(key)) }
    }
    let (one, other) = (await setting("one"), await setting("other"))
    let (isInside, threads) = (DispatchSemaphore(value: 0), DispatchGroup())
    threads.enter()
    threads.enter()
    disk.willWait.value = { isInside.signal() }
    disk.willWrite.value = {
      Thread.detachNewThread {
        other.withLock { $0 = 2 }
        isInside.signal()
        threads.leave()
      }
      // Until the other process has written, or waits until this one has.
      isInside.wait()
    }
    Thread.detachNewThread {
      one.withLock { $0 = 2 }
      threads.leave()
    }
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
    #expect(disk.text("/settings.json") == "{\n  \"one\": 2,\n  \"other\": 2\n}\n")
  }

  // MARK: Errors

  /// Counts the notifications of a storage.
  private final class Observer: Sendable {
    let count = Atomic(0)
    var seen: Int { count.load(ordering: .relaxed) }

    init(_ storage: SharedStorage) {
      storage.addListener(self) { [weak self] in self?.count.add(1, ordering: .relaxed) }
    }
  }

  @Test("Observers are notified when an error appears, and when it is gone")
  func errorsDidChange() async throws {
    let process = process()
    try await process.run {
      let settings = sharedSettings()
      let observer = Observer(process.storage)
      settings.withLock { $0.size = 2 }
      var seen = observer.seen
      disk.failure.value = ENOSPC
      await #expect(throws: SharedError.self) { try await settings.save() }
      #expect(settings.storageError != nil && observer.seen > seen)
      (disk.failure.value, seen) = (nil, observer.seen)
      try await settings.save()
      #expect(settings.storageError == nil && observer.seen > seen)
      seen = observer.seen
      disk.put("{", at: path)
      #expect(settings.storageError != nil && observer.seen > seen)
      seen = observer.seen
      try disk.remove(path)
      #expect(settings.storageError == nil && observer.seen > seen)
    }
  }

  // MARK: Files that lack a value

  @Test("'save' writes a value that its file lacks, and no other")
  func saveAbsent() async throws {
    let process = process()
    try await process.run {
      let settings = sharedSettings()
      try await settings.save()
      let text = try #require(disk.text(path))
      #expect(text.contains("12"))
      try await settings.save()
      #expect(disk.writes.value == 1)
      try disk.remove(path)
      try await settings.save()
      #expect(disk.text(path) == text)
      disk.put("{", at: path)
      await #expect(throws: SharedError.self) { try await settings.save() }
      #expect(disk.text(path) == "{")
    }
    disk.put(#"{"other": 1}"#, at: "/settings.json")
    let next = self.process()
    try await next.run {
      @Shared(.setting("size")) var size = 3
      try await $size.save()
      #expect(disk.text("/settings.json") == "{\n  \"other\": 1,\n  \"size\": 3\n}\n")
    }
  }

  private struct State: Codable {
    @Shared(.file("/a/s.json")) var settings = Settings()
  }

  @Test("A restored value is written if it was changed and its file does not exist")
  func saveIfAbsent() async throws {
    let (unchanged, changed) = try await process().run {
      let state = State()
      let unchanged = try ValueEncoder().encode(state)
      state.$settings.withLock { $0.size = 2 }
      return (unchanged, try ValueEncoder().encode(state))
    }
    // The process has crashed before it wrote the value.
    try await process(writesAtOnce: true).run {
      _ = try ValueDecoder().decode(State.self, from: unchanged)
    }
    #expect(disk.text(path) == nil)
    try await process(writesAtOnce: true).run {
      let state = try ValueDecoder().decode(State.self, from: changed)
      #expect(state.settings.size == 2)
    }
    #expect(disk.text(path)?.contains("\"size\": 2") == true)
    disk.put(#"{"size": 3}"#, at: path)
    try await process(writesAtOnce: true).run {
      let state = try ValueDecoder().decode(State.self, from: changed)
      #expect(state.settings.size == 3)
    }
    #expect(disk.text(path) == #"{"size": 3}"#)
  }
}
