import AppCore
import Foundation
import Glibc
import Support
internal import TestSupport
import Testing

@testable import Sessions

@Suite("Session files")
struct SessionFileTests {
  private let path = NSTemporaryDirectory() + "appcore-\(UUID().uuidString).session"

  private func read(_ image: SessionImage) throws -> SessionImage? {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let frame = ImageFrame.bytes(image.whole.lines, number: .max)
    try Data(ImageFrame.header + frame).write(to: URL(filePath: path))
    return try SavedSession.read(path, app: "random")?.image
  }

  @Test("A script's place is not taken from a session file")
  func conversation() throws {
    var image = RandomSession(seed: 1).image
    image.conversation.line = "half"
    image.conversation.cursor = .max
    image.conversation.script = .init(begun: .max, done: .max, screen: .max)
    image.conversation.clientText = .init(client: 1, text: .init(opening: "@a <<END", end: "END"))
    image.conversation.file = "/etc/passwd"
    let found = try #require(try read(image))
    #expect(found.conversation.script == nil)
    #expect(found.conversation.clientText == nil)
    #expect(found.conversation.file == nil)
    #expect(found.conversation.line == "half")
  }

  @Test("A session that another process keeps in the file is not replaced")
  func other() throws {
    let change = RandomSession(seed: 1).beginning
    let messages = Locked<[String]>([])
    let first = SessionFileWriter(path: path) { Issue.record("it is not kept: \($0)") }
    first.write(change, without: SecretTexts())
    first.flush()
    let kept = try Data(contentsOf: URL(filePath: path))
    let second = SessionFileWriter(path: path) { message in messages.withLock { $0.append(message) }
    }
    second.write(RandomSession(seed: 2).beginning, without: SecretTexts())
    second.flush()
    #expect(try Data(contentsOf: URL(filePath: path)) == kept)
    let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
    let message = messages.withLock { $0.joined(separator: "\n") }
    #expect(
      message
        == "the session can't be kept in '\(path)': the process \(getpid()) (\(name)) keeps its "
        + "session there; name another file by '--session FILE'")
    first.write(change, without: SecretTexts())
    first.remove()
    second.write(RandomSession(seed: 2).beginning, without: SecretTexts())
    second.flush()
    #expect(FileManager.default.fileExists(atPath: path))
    second.remove()
  }

  /// Whether a folder for temporary files has files without names, as most file systems do.
  private static let hasUnnamedFiles: Bool = {
    // O_TMPFILE
    let file = open(NSTemporaryDirectory(), 0o20000000 | O_DIRECTORY | O_RDWR, 0o600)
    defer { close(file) }
    return file >= 0
  }()

  @Test(
    "A file has no name before it is whole, so that a killed process leaves none",
    .enabled(if: hasUnnamedFiles))
  func unnamed() throws {
    let folder = try TemporaryFolder()
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
    let replacement = try FileReplacement(of: folder.path + "/a.session")
    defer { close(replacement.descriptor) }
    try replacement.write(Array("half".utf8))
    #expect(try names() == [])
    try replacement.commit()
    #expect(try names() == ["a.session"])
  }

  @Test("A pipe is refused, not waited for")
  func namedPipe() throws {
    try #require(mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: SessionError.self) { try SavedSession.read(path, app: "random") }
  }

  @Test("A state that is nested as deep as one may be is kept by a thread with a small stack")
  func nested() throws {
    var value = Value.int(1)
    for _ in 0..<Value.stateDepthLimit - 1 { value = .object(["a": .array([value])]) }
    while !value.isShallower() {
      guard case .object(let fields) = value, case .array(let inner)? = fields["a"] else { break }
      value = inner[0]
    }
    let session = RandomSession(seed: 1)
    var change = session.beginning
    change.state.instances = [
      .whole(SavedInstance(id: 1, node: "list", arguments: value, order: 1, state: .value(value)))
    ]
    let keeper = SessionFileWriter(path: path) { Issue.record("it is not kept: \($0)") }
    keeper.write(change, without: SecretTexts())
    keeper.flush()
    defer { keeper.remove() }
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(try ImageReader.read(bytes).image.moment.instances[1]?.state == .value(value))
  }

  @Test("What is saved of an app that can't run has no waiting link, which may have a secret")
  func waitingLink() throws {
    let folder = try TemporaryFolder()
    var image = SessionImage(identity: SessionIdentity(app: "a"))
    image.moment.waitingLink = "/a?token=hunter2"
    let path = try #require(
      SessionPaths.save(
        image, without: SecretTexts(of: image), beside: folder.url.path + "/a.session"))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try ImageReader.read(bytes).image.moment.waitingLink == nil)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"))
  }
}
