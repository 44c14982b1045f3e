import Glibc
import Testing

@_spi(Host) @testable import AppCore

@Suite("Shared values in files")
struct SharedFileTests {
  private struct Settings: Codable, Equatable, Sendable {
    var size = 12
    var title: String?
  }

  private func sharedSettings() -> Shared<Settings> {
    Shared(wrappedValue: Settings(), .file("/a/s.json"))
  }

  private func text(_ files: FileSystem) async -> String? { try? await files.readText("/a/s.json") }

  @Test("A value is read from its file, or begins anew, and a change is written")
  func writing() async {
    let process = SharingProcess(.inMemory())
    await process.run {
      let settings = sharedSettings()
      #expect(settings.wrappedValue == Settings())
      #expect(await text(process.files) == nil)
      settings.withLock { $0.title = "tea" }
      #expect(await text(process.files) == "{\n  \"size\": 12,\n  \"title\": \"tea\"\n}\n")
    }
    let next = SharingProcess(process.files)
    await next.run { #expect(sharedSettings().wrappedValue == Settings(title: "tea")) }
    #expect(process.reports.value + next.reports.value == [])
  }

  @Test("A change by others is taken over at once, after a change of its own too")
  func outside() async throws {
    for _ in 0..<500 {
      let process = SharingProcess(.inMemory())
      try await process.run {
        let settings = sharedSettings()
        settings.withLock { $0.size = 1 }
        try await process.files.write(#"{"size": 2}"#, to: "/a/s.json")
        try #require(settings.wrappedValue == Settings(size: 2))
        var values = settings.values.makeAsyncIterator()
        try #require(await values.next() == Settings(size: 2))
        try await process.files.write(#"{"size": 3}"#, to: "/a/s.json")
        try #require(await values.next() == Settings(size: 3))
      }
      #expect(process.reports.value == [])
    }
  }

  private static let damages: [(content: String, says: String)] = [
    ("{", "the file '/a/s.json' is damaged: line 1: a field's name is missing"),
    ("", "the file '/a/s.json' is damaged: line 1: a value is missing"),
    (#"{"size": "big"}"#, "the file '/a/s.json' is damaged: size: "),
    ("[]", "the file '/a/s.json' is damaged: "),
    (
      #"{"size": 1, "zoom": 2}"#,
      "the file '/a/s.json' is from a newer version: it has the unknown field 'zoom'"
    ),
  ]

  @Test(
    "A damaged or newer file is reported once and stays; repaired, it is used",
    arguments: damages)
  func damaged(damage: (content: String, says: String)) async throws {
    let process = SharingProcess(.inMemory(["/a/s.json": damage.content]))
    try await process.run {
      let settings = sharedSettings()
      #expect(settings.wrappedValue == Settings())
      settings.withLock { $0.size = 5 }
      settings.withLock { $0.size = 6 }
      #expect(settings.wrappedValue.size == 6)
      #expect(await text(process.files) == damage.content)
      await #expect(throws: SharedError.self) { try await settings.save() }
      try await process.files.write(#"{"size": 7}"#, to: "/a/s.json")
      #expect(settings.wrappedValue.size == 7)
      settings.withLock { $0.size = 8 }
      #expect(await text(process.files) == "{\n  \"size\": 8\n}\n")
    }
    let reports = process.reports.value
    #expect(reports.count == 1, "\(reports)")
    #expect(reports.first?.hasPrefix(damage.says) == true, "\(reports)")
    #expect(reports.first?.contains("stays as it is, and the file is not overwritten") == true)
  }

  @Test("A file that is damaged while the app runs is reported; removed, it is written anew")
  func damagedLater() async throws {
    let process = SharingProcess(.inMemory())
    try await process.run {
      let settings = sharedSettings()
      settings.withLock { $0.size = 5 }
      try await process.files.write("{", to: "/a/s.json")
      #expect(settings.wrappedValue.size == 5)
      settings.withLock { $0.size = 6 }
      #expect(await text(process.files) == "{")
      try await process.files.remove("/a/s.json")
      settings.withLock { $0.size = 7 }
      #expect(await text(process.files) == "{\n  \"size\": 7\n}\n")
    }
    #expect(process.reports.value.count == 1)
  }

  @Test(
    "Changed here and in the file, neither is overwritten; the file is used when it is saved again",
    arguments: [3, 4])
  func conflict(size: Int) async throws {
    let time = Guarded(0)
    // Written after the test, unless it is asked for.
    let process = SharingProcess(
      .inMemory(
        ["/a/s.json": #"{"size": 1}"#],
        date: DateGenerator { Instant(secondsSinceEpoch: time.value) }),
      delay: .seconds(3600))
    try await process.run {
      let settings = sharedSettings()
      settings.withLock { $0.size = 2 }
      time.value = 1
      try await process.files.write(#"{"size": 3}"#, to: "/a/s.json")
      // Looking at the file again is not enough.
      let error = await #expect(throws: SharedError.self) { try await settings.save() }
      #expect(error?.cause == .conflict)
      #expect(settings.wrappedValue.size == 2)
      #expect(await text(process.files) == #"{"size": 3}"#)
      time.value = 2
      try await process.files.write("{\"size\": \(size)}", to: "/a/s.json")
      #expect(settings.wrappedValue.size == size)
      settings.withLock { $0.size = 5 }
      try await settings.save()
      #expect(await text(process.files) == "{\n  \"size\": 5\n}\n")
    }
    #expect(process.reports.value.count == 1)
  }

  @Test("Of several threads that use a value first, all follow its file")
  func firstUse() async throws {
    for round in 0..<100 {
      let process = SharingProcess(.inMemory(["/a/s.json": #"{"size": 1}"#]))
      try await process.run {
        let found = await withTaskGroup(of: Shared<Settings>.self) { group in
          for _ in 0..<4 { group.addTask { sharedSettings() } }
          return await group.reduce(into: [Shared<Settings>]()) { $0.append($1) }
        }
        try await process.files.write(#"{"size": 2}"#, to: "/a/s.json")
        #expect(found.map(\.wrappedValue.size) == [2, 2, 2, 2], "round \(round)")
      }
    }
  }

  @Test("What can't be encoded fails its own save, each time, and no other value's")
  func notEncodable() async throws {
    let process = SharingProcess(.inMemory(), delay: .seconds(3600))
    try await process.run {
      @Shared(.setting("size")) var size = 1
      @Shared(.setting("ratio")) var ratio = 1.0
      $size.withLock { $0 = 2 }
      $ratio.withLock { $0 = .infinity }
      try await $size.save()
      for _ in 0..<2 {
        let error = await #expect(throws: SharedError.self) { try await $ratio.save() }
        guard case .notEncodable = error?.cause else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      $ratio.withLock { $0 = 0.5 }
      try await $ratio.save()
      try await $size.save()
    }
    #expect(process.reports.value.count == 1)
  }

  @Test("A value that is nested too deeply to be read again is not written")
  func tooDeep() async throws {
    indirect enum Chain: Codable, Equatable, Sendable { case end, link(Chain) }
    func link(_ length: Int) -> Chain { (0..<length).reduce(.end) { chain, _ in .link(chain) } }
    for (length, isWritten) in [(100, true), (200, false)] {
      let files = SharingProcess(.inMemory(), delay: .seconds(3600))
      try await files.run {
        @Shared(.setting("chain")) var chain: Chain = .end
        $chain.withLock { $0 = link(length) }
        if isWritten {
          try await $chain.save()
        } else {
          await #expect(throws: SharedError.self) { try await $chain.save() }
        }
      }
    }
  }

  @Test("A saved value is on the disk when 'save' returns; a mere change, a moment later")
  func saving() async throws {
    let process = SharingProcess(.inMemory(), delay: .milliseconds(1))
    try await process.run {
      let settings = sharedSettings()
      settings.withLock { $0.size = 2 }
      try await settings.save()
      #expect(await text(process.files)?.contains("2") == true)
      settings.withLock { $0.size = 3 }
      while await text(process.files)?.contains("3") != true { await Task.yield() }
    }
  }

  @Test("On a full disk the value stays, it is reported once, and a later change is written")
  func fullDisk() async {
    let disk = Disk()
    let process = SharingProcess(FileSystem(disk))
    await process.run {
      let settings = sharedSettings()
      disk.failure.value = ENOSPC
      settings.withLock { $0.size = 2 }
      settings.withLock { $0.size = 3 }
      let error = await #expect(throws: SharedError.self) { try await settings.save() }
      #expect(error?.description == "can't write '/a/s.json': No space left on device")
      disk.failure.value = nil
      settings.withLock { $0.size = 4 }
      #expect(await text(process.files) == "{\n  \"size\": 4\n}\n")
    }
    #expect(process.reports.value.count == 1)
    #expect(process.reports.value.first?.contains("the next change is written again") == true)
  }

  @Test("A file that can't be read is reported and not overwritten")
  func unreadable() async {
    let disk = Disk(["/a/s.json": "secret"])
    disk.readFailure.value = EACCES
    let process = SharingProcess(FileSystem(disk))
    await process.run {
      let settings = sharedSettings()
      settings.withLock { $0.size = 2 }
      #expect(settings.wrappedValue.size == 2)
      disk.readFailure.value = nil
      #expect(await text(process.files) == "secret")
    }
    #expect(process.reports.value.count == 1)
    #expect(
      process.reports.value.first?.hasPrefix("can't read '/a/s.json': Permission denied") == true)
  }

  @Test("At the end of an app, what could not be written is copied")
  func ending() async {
    let process = SharingProcess(.inMemory(["/a/s.json": "{"]))
    let copies = Guarded<[EmergencyCopy.Content]>([])
    await process.run {
      let settings = sharedSettings()
      settings.withLock { $0.size = 2 }
      await withDependencies {
        $0.emergencyCopy = EmergencyCopy { copies.value += [$0] }
      } operation: {
        await process.storage.saveAll()
      }
    }
    #expect(
      copies.value == [
        .init(
          text: "{\n  \"size\": 2\n}\n", name: "the shared value 's.json'",
          reason: "the file '/a/s.json' is damaged: line 1: a field's name is missing")
      ])
  }

  @Test("A value in a file is encoded by its path, and read again")
  func coding() async throws {
    struct State: Codable { @Shared(.file("/a/s.json")) var settings = Settings() }
    let process = SharingProcess(.inMemory())
    let encoded = try await process.run {
      State().$settings.withLock { $0.size = 2 }
      return try ValueEncoder().encode(State())
    }
    try await process.files.write(#"{"size": 3}"#, to: "/a/s.json")
    let next = SharingProcess(process.files)
    try await next.run {
      let state = try ValueDecoder().decode(State.self, from: encoded)
      #expect(state.settings.size == 3)
      state.$settings.withLock { $0.size = 4 }
      #expect(await text(next.files) == "{\n  \"size\": 4\n}\n")
    }
    // Without the file, the value that it had.
    let other = SharingProcess(.inMemory())
    try await other.run {
      let state = try ValueDecoder().decode(State.self, from: encoded)
      #expect(state.settings.size == 2)
    }
  }

  @Test("A value that can't be kept where it should be says so, and is copied at the end")
  func refusals() async throws {
    let images = try [144, 160].map { try #require(UnsafeRawPointer(bitPattern: $0)) }
    PluginImages.register(images[0], as: "Mine")
    PluginImages.register(images[1], as: "Yours")
    let process = SharingProcess(.inMemory())
    let copies = Guarded<[EmergencyCopy.Content]>([])
    await process.run {
      let relative = Shared(wrappedValue: [1], .file("data/n.json"), image: images[0])
      let mine = Shared(wrappedValue: 1, .file("/a/n.json"), image: images[0])
      let yours = Shared(wrappedValue: 2, .file("/a/n.json"), image: images[1])
      let untouched = Shared(wrappedValue: 2, .file("other.json"), image: images[1])
      relative.withLock { $0 = [2] }
      mine.withLock { $0 = 3 }
      yours.withLock { $0 = 4 }
      #expect(relative.storageError == SharedError(path: "data/n.json", cause: .relativePath))
      #expect(yours.storageError == SharedError(path: "/a/n.json", cause: .otherPlugin("Mine")))
      #expect(untouched.storageError?.cause == .relativePath)
      #expect(mine.storageError == nil)
      await #expect(throws: SharedError.self) { try await relative.save() }
      await #expect(throws: SharedError.self) { try await yours.save() }
      #expect((try? await process.files.readText("data/n.json")) == nil)
      #expect((try? await process.files.readText("/a/n.json")) == "3\n")
      #expect(mine.wrappedValue == 3 && yours.wrappedValue == 4)
      await withDependencies {
        $0.emergencyCopy = EmergencyCopy { content in copies.value += [content] }
      } operation: {
        await process.storage.saveAll()
        await process.storage.saveAll()
      }
    }
    #expect(copies.value.map(\.text) == ["4\n", "[\n  2\n]\n"])
    #expect(copies.value.first?.reason.contains("the plugin 'Mine' has a value") == true)
    #expect(process.reports.value.count == 3)
  }

  @Test("A value has the error of its file as long as the file is not used")
  func storageErrors() async throws {
    let process = SharingProcess(.inMemory(["/a/s.json": "{"]))
    try await process.run {
      let settings = sharedSettings()
      let reader = SharedReader(settings)
      let edition = process.storage.counts.changes
      guard case .damaged? = settings.storageError?.cause else {
        Issue.record("\(String(describing: settings.storageError))")
        return
      }
      #expect(reader.storageError == settings.storageError && settings.size.storageError != nil)
      #expect(process.storage.takeNewErrors() == [])
      try await process.files.write(#"{"size": 7}"#, to: "/a/s.json")
      #expect(settings.storageError == nil && process.storage.counts.changes > edition)
      try await process.files.write("[", to: "/a/s.json")
      #expect(process.storage.takeNewErrors() == [settings.storageError])
      #expect(process.storage.takeNewErrors() == [])
    }
  }

  @Test("A set is the same in whatever order it is coded, and an infinite number is not written")
  func orders() async throws {
    enum Mark: Codable, Hashable, Sendable { case star(Int), flag(name: String), none }
    let marks: Set<Mark> = [.star(1), .flag(name: "a"), .none, .star(2), .flag(name: "b")]
    for rotation in 0..<5 {
      let coded = try ValueEncoder().encode(Array(marks))
      guard case .array(var elements) = coded else { throw CancellationError() }
      elements = Array(elements[rotation...] + elements[..<rotation])
      let process = SharingProcess(.inMemory(["/a/m.json": Value.array(elements).json]))
      await process.run {
        let found = Shared<Set<Mark>>(wrappedValue: [], .file("/a/m.json"))
        #expect(found.wrappedValue == marks)
      }
      #expect(process.reports.value == [])
    }
    let process = SharingProcess(.inMemory())
    await process.run {
      @Shared(.file("/a/d.json")) var ratio = 1.0
      $ratio.withLock { $0 = 2 }
      $ratio.withLock { $0 = .infinity }
      #expect((try? await process.files.readText("/a/d.json")) == "2.0\n")
    }
    #expect(process.reports.value.count == 1)
  }
}
