@_spi(Host) import AppCore
import Foundation
import Testing

@testable import AppCoreHost

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
}
