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
