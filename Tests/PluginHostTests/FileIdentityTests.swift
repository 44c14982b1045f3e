import Foundation
import Glibc
import Testing

@testable import PluginHost

@Suite("FileIdentity")
struct FileIdentityTests {
  @Test("A file that another process marks as used is the same one, and one in its place is not")
  func marked() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "copy").path
    try "one".write(toFile: file, atomically: true, encoding: .utf8)
    let validated = try #require(PluginFile.identity(of: file))
    #expect(utimensat(AT_FDCWD, file, [timespec(), timespec()], 0) == 0)
    let used = try #require(PluginFile.identity(of: file))
    #expect(used != validated)
    #expect(used.isSameFile(as: validated))
    // Held open, so that its number is not given to the next one.
    let held = open(file, O_RDONLY)
    defer { close(held) }
    try "two".write(toFile: file, atomically: true, encoding: .utf8)
    let other = try #require(PluginFile.identity(of: file))
    #expect(!other.isSameFile(as: validated))
  }
}
