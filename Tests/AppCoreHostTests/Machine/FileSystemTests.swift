@_spi(Host) import AppCore
import Foundation
import TestSupport
import Testing

@testable import AppCoreHost

@Suite("FileSystem")
struct FileSystemTests {
  /// The machine's files in a new folder, and files in memory.
  private func both() throws -> [(files: FileSystem, base: String, keep: TemporaryFolder?)] {
    let live = FileSystem(MachineFiles())
    let folder = try TemporaryFolder()
    return [
      (live, folder.path, folder),
      (.inMemory(["/base/.keep": ""]), "/base", nil),
    ]
  }

  private func failure(
    _ body: () async throws(FileError) -> Void
  ) async -> FileError? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test("Files are written, read, listed, found and removed, on the machine and in memory")
  func life() async throws {
    for (files, base, keep) in try both() {
      let folder = "\(base)/a/b"
      try await files.createDirectory(folder)
      try await files.createDirectory(folder)
      try await files.write("one", to: "\(folder)/x")
      try await files.write([1, 2, 3], to: "\(folder)/y")
      try await files.write("two", to: "\(folder)/x")
      #expect(try await files.readText("\(folder)/x") == "two")
      #expect(try await files.read("\(folder)/y") == [1, 2, 3])
      #expect(try await files.list(folder) == ["x", "y"])
      #expect(try await files.list("\(base)/a") == ["b"])
      #expect(try await files.exists("\(folder)/x"))
      #expect(try await files.exists(folder))
      try await files.remove("\(folder)/x")
      #expect(try await files.exists("\(folder)/x") == false)
      try await files.remove("\(folder)/y")
      try await files.remove(folder)
      #expect(try await files.exists(folder) == false)
      withExtendedLifetime(keep) {}
    }
  }

  @Test(
    "A folder stays when the last file in it goes, and none is made in a file, the same in memory")
  func folders() async throws {
    for (files, base, keep) in try both() {
      try await files.createDirectory("\(base)/one")
      try await files.write("", to: "\(base)/one/file")
      try await files.remove("\(base)/one/file")
      #expect(try await files.list("\(base)/one") == [])
      try await files.createDirectory("\(base)/two/inner")
      let notEmpty = await failure { () async throws(FileError) in
        try await files.remove("\(base)/two")
      }
      #expect(notEmpty?.code == ENOTEMPTY)
      try await files.remove("\(base)/two/inner")
      #expect(try await files.list("\(base)/two") == [])
      try await files.write("", to: "\(base)/file")
      let inFile = await failure { () async throws(FileError) in
        try await files.createDirectory("\(base)/file/inner")
      }
      #expect(inFile?.code == ENOTDIR)
      #expect(try await files.status(of: "\(base)/file").kind == .file)
      withExtendedLifetime(keep) {}
    }
  }

  @Test("An error names what was tried, the path and the system's reason, the same in memory")
  func errors() async throws {
    for (files, base, keep) in try both() {
      try await files.write("text", to: "\(base)/file")
      try await files.createDirectory("\(base)/folder/inner")
      let errors = [
        await failure { () async throws(FileError) in _ = try await files.read("\(base)/none") },
        await failure { () async throws(FileError) in _ = try await files.read("\(base)/folder") },
        await failure { () async throws(FileError) in
          try await files.write("x", to: "\(base)/folder")
        },
        await failure { () async throws(FileError) in _ = try await files.list("\(base)/file") },
        await failure { () async throws(FileError) in _ = try await files.list("\(base)/none") },
        await failure { () async throws(FileError) in try await files.remove("\(base)/none") },
        await failure { () async throws(FileError) in try await files.remove("\(base)/folder") },
        await failure { () async throws(FileError) in
          try await files.createDirectory("\(base)/file")
        },
        await failure { () async throws(FileError) in
          try await files.write("x", to: "\(base)/file/inner")
        },
        await failure { () async throws(FileError) in
          try await files.create("x", at: "\(base)/file/inner")
        },
      ]
      #expect(
        errors.map { $0?.description ?? "none" } == [
          "can't read '\(base)/none': No such file or directory",
          "can't read '\(base)/folder': Is a directory",
          "can't write '\(base)/folder': Is a directory",
          "can't list '\(base)/file': Not a directory",
          "can't list '\(base)/none': No such file or directory",
          "can't remove '\(base)/none': No such file or directory",
          "can't remove '\(base)/folder': Directory not empty",
          "can't create the directory '\(base)/file': File exists",
          "can't write '\(base)/file/inner': Not a directory",
          "can't create '\(base)/file/inner': Not a directory",
        ])
      #expect(errors[0]?.isNotFound == true)
      #expect(errors[1]?.isNotFound == false)
      withExtendedLifetime(keep) {}
    }
  }

  @Test("A file keeps its permissions, a link stays one, and no other file is left behind")
  func replacing() async throws {
    let files = FileSystem(MachineFiles())
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/file"
    let link = "\(folder.path)/link"
    try await files.write("one", to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    try await files.write("two", to: link)
    #expect(try await files.readText(file) == "two")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try await files.list(folder.path) == ["file", "link"])
  }

  @Test("Readers see the old file or the new one, never a part of either")
  func atomic() async throws {
    let files = FileSystem(MachineFiles())
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/file"
    let sizes = [100_000, 250_000]
    try await files.write([UInt8](repeating: 0, count: sizes[0]), to: file)
    try await withThrowingTaskGroup(of: Void.self) { [files] group in
      group.addTask {
        for round in 1...30 {
          let byte = UInt8(round)
          try await files.write([UInt8](repeating: byte, count: sizes[round % 2]), to: file)
        }
      }
      group.addTask {
        for _ in 0..<100 {
          let bytes = try await files.read(file)
          #expect(bytes.count == sizes[Int(bytes[0]) % 2])
          #expect(bytes.allSatisfy { $0 == bytes[0] })
        }
      }
      try await group.waitForAll()
    }
  }
}

@Suite("FileSystem's changes", .timeLimit(.minutes(30)))
struct FileWatchTests {
  private let folder: String
  private var path: String { folder + "/a.json" }
  private let files = FileSystem(MachineFiles())

  init() throws {
    folder = NSTemporaryDirectory() + "appcore-watch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test("A file is reported when it is written, replaced and removed, whoever does it")
  func changes() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var changes = files.changes(of: path).makeAsyncIterator()
    try Data("1".utf8).write(to: URL(fileURLWithPath: path))
    #expect(await changes.next() != nil)
    try await files.write("2", to: path)
    #expect(await changes.next() != nil)
    try FileManager.default.removeItem(atPath: path)
    #expect(await changes.next() != nil)
  }

  @Test("A file in a folder that isn't there can't be followed")
  func noFolder() async {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var changes = files.changes(of: folder + "/none/a").makeAsyncIterator()
    #expect(await changes.next() == nil)
  }

  @Test("A shared value takes a change by another program")
  func shared() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withDependencies {
      $0.sharedStorage = SharedStorage()
      $0.fileSystem = files
    } operation: {
      @Shared(.file(path)) var numbers = [1]
      $numbers.withLock { $0.append(2) }
      var values = $numbers.values.makeAsyncIterator()
      #expect(await values.next() == [1, 2])
      try Data("[3]".utf8).write(to: URL(fileURLWithPath: path))
      #expect(await values.next() == [3])
    }
  }
}

@Suite("Creating files, and looking at them")
struct FileCreationTests {
  private func failure(_ body: () async throws(FileError) -> Void) async -> FileError? {
    do throws(FileError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  private func withFolder(_ body: (FileSystem, String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "appcore-create-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let machine = FileSystem(MachineFiles())
    try await body(machine, folder)
    try await body(.inMemory(), "/base")
  }

  @Test(
    "A file is created where there is none, and never over another, on the machine and in memory")
  func creating() async throws {
    try await withFolder { files, base in
      try await files.create("one", at: "\(base)/a")
      let error = await failure { () async throws(FileError) in
        try await files.create("two", at: "\(base)/a")
      }
      #expect(error?.isAlreadyThere == true)
      #expect(error?.description == "can't create '\(base)/a': File exists")
      #expect(try await files.readText("\(base)/a") == "one")
      try await files.createDirectory("\(base)/b")
      let folder = await failure { () async throws(FileError) in
        try await files.create([], at: "\(base)/b")
      }
      #expect(folder?.isAlreadyThere == true)
      #expect(try await files.list(base) == ["a", "b"])
    }
  }

  @Test("Of many that create one file at once, one succeeds, and nothing else is left")
  func race() async throws {
    try await withFolder { files, base in
      let winners = await winners(of: 16, at: "\(base)/one", in: files)
      #expect(winners.count == 1)
      let text = try await files.readText("\(base)/one")
      #expect(text == "\(winners.first ?? -1)")
      let left = try await files.list(base)
      #expect(left == ["one"])
    }
  }

  /// The numbers of those who created a file, of several that try at once.
  private func winners(of count: Int, at path: String, in files: FileSystem) async -> [Int] {
    await withTaskGroup(of: Int?.self) { group in
      for number in 0..<count {
        group.addTask {
          let error = await failure { () async throws(FileError) in
            try await files.create("\(number)", at: path)
          }
          #expect(error?.isAlreadyThere ?? true)
          return error == nil ? number : nil
        }
      }
      return await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
    }
  }

  @Test("A link that leads nowhere has its name taken, too")
  func danglingLink() async throws {
    try await withFolder { files, base in
      guard base != "/base" else { return }
      try FileManager.default.createSymbolicLink(
        atPath: "\(base)/link", withDestinationPath: "\(base)/nowhere")
      let error = await failure { () async throws(FileError) in
        try await files.create("x", at: "\(base)/link")
      }
      #expect(error?.isAlreadyThere == true)
      #expect(try await files.exists("\(base)/nowhere") == false)
    }
  }

  @Test("A file is locked until the lock is released, whether it exists or not")
  func lock() throws {
    let folder = try TemporaryFolder()
    func isLocked() -> Bool { FolderLock(folder.path, tries: 1) == nil }
    let path = folder.path + "/a"
    var lock = MachineFiles().lock(path)
    #expect(lock != nil && isLocked())
    try MachineFiles().write([1], to: path)
    #expect(isLocked())
    lock = nil
    #expect(lock == nil && !isLocked())
    #expect(MachineFiles().lock(folder.path + "/none/a") == nil)
  }

  @Test("A status tells what a file is, its size and when it was changed")
  func status() async throws {
    let before = Date().timeIntervalSince1970.rounded(.down)
    try await withFolder { files, base in
      try await files.create("four", at: "\(base)/a")
      let status = try await files.status(of: "\(base)/a")
      #expect(status.kind == .file)
      #expect(status.size == 4)
      let isMachine = base != "/base"
      let changed = status.modified
      #expect(changed >= Instant(secondsSinceEpoch: isMachine ? Int(before) - 1 : 0))
      #expect(try await files.status(of: base).kind == .folder)
      let error = await failure { () async throws(FileError) in
        _ = try await files.status(of: "\(base)/none")
      }
      #expect(error?.description == "can't stat '\(base)/none': No such file or directory")
    }
    let machine = FileSystem(MachineFiles())
    #expect(try await machine.status(of: "/dev/null").kind == .other)
    let noon = Instant(secondsSinceEpoch: 43_200)
    let memory = FileSystem.inMemory(["/a": "x"], date: .constant(noon))
    #expect(try await memory.status(of: "/a").modified == noon)
  }

  @Test("A file is saved in a folder that may be written and not read", .ownThread)
  func unreadableFolder() throws {
    let folder = try TemporaryFolder()
    let files = MachineFiles()
    let path = folder.path + "/new"
    #expect(chmod(folder.path, 0o300) == 0)
    try asOwner(of: folder.path) {
      try files.create(Array("one".utf8), at: path)
      try files.write(Array("two".utf8), to: path)
      #expect(throws: FileError.self) { try files.list(folder.path) }
    }
    #expect(try files.read(path) == Array("two".utf8))
    #expect(chmod(folder.path, 0o700) == 0)
  }

  /// Calls `body` with the rights of a folder's owner, which this thread gets: root may do anything.
  private func asOwner(of folder: String, _ body: () throws -> Void) throws {
    guard geteuid() == 0 else { return try body() }
    typealias SetUser = @convention(c) (uid_t) -> Int32
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    let user: uid_t = 65534
    #expect(chown(folder, user, user) == 0)
    _ = setUser(user)
    defer { _ = setUser(0) }
    try body()
  }
}
