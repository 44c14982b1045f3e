import AppCore
import Glibc
import PluginHost
import Testing

@testable import Sessions

@Suite("Writing images")
struct ImageWriterTests {
  private func files() throws -> (ImageFile, ImageFile) {
    (try #require(ImageFile(inMemory: "first")), try #require(ImageFile(inMemory: "second")))
  }

  /// The newest image of several files; `nil` if none contains one.
  private func newest(of files: [[UInt8]]) -> (image: SessionImage, number: UInt64, length: Int)? {
    files.compactMap { try? ImageReader.read($0) }.max { $0.number < $1.number }
  }

  @Test("After each change the files hold the app as it is, also when the image was written anew")
  func changes() throws {
    let files = try files()
    var session = RandomSession(seed: 1)
    let writer = ImageWriter(files: files, after: 0)
    #expect(writer.write(session.beginning))
    var lengths: Set<Int> = []
    for step in 1...2000 {
      #expect(writer.write(session.change()))
      let contents = [files.0.contents(), files.1.contents()]
      lengths.insert(contents.map(\.count).max() ?? 0)
      guard step % 20 == 0 else { continue }
      let read = try #require(newest(of: contents))
      #expect(read.image == session.image, "after \(step) changes")
    }
    // It does not grow without end.
    let whole = session.image.whole.lines.map(\.utf8.count).reduce(0, +)
    #expect((lengths.max() ?? 0) < 4 * whole + (1 << 17))
  }

  @Test("Another writer continues with the numbers of the one before")
  func successor() throws {
    let files = try files()
    var session = RandomSession(seed: 2)
    let first = ImageWriter(files: files, after: 0)
    first.write(session.beginning)
    first.write(session.change())
    for _ in 0..<5 {
      let contents = [files.0.contents(), files.1.contents()]
      let found = try #require(newest(of: contents))
      let holder = try #require(
        contents.firstIndex { (try? ImageReader.read($0).number) == found.number })
      let next = ImageWriter(files: files, after: found.number, current: holder)
      // Until its first change the image of the one before is there.
      #expect(
        newest(of: [files.0.contents(), files.1.contents()])?.image == found.image)
      next.write(session.image.whole)
      next.write(session.change())
      let read = newest(of: [files.0.contents(), files.1.contents()])
      #expect(read?.image == session.image)
    }
  }

  @Test("Before the app has begun nothing is written that could not be read")
  func early() throws {
    let files = try files()
    let writer = ImageWriter(files: files, after: 0)
    var session = RandomSession(seed: 3)
    var typed = ImageChange(conversation: SavedConversation())
    typed.conversation?.line = "half"
    writer.write(typed)
    #expect(files.0.contents().isEmpty && files.1.contents().isEmpty)
    writer.write(session.beginning)
    let read = newest(of: [files.0.contents(), files.1.contents()])
    #expect(read?.image.conversation.line == "half")
    _ = session.change()
  }

  @Test("A descriptor that somebody has closed, and that is another file's now, is not written to")
  func closed() throws {
    let files = try files()
    let kept = (dup(files.0.descriptor), dup(files.1.descriptor))
    let writer = ImageWriter(files: files, after: 0)
    var session = RandomSession(seed: 4)
    #expect(writer.write(session.beginning))
    let before = [files.0.contents(), files.1.contents()]
    let other = try #require(ImageFile(inMemory: "other"))
    dup2(other.descriptor, files.0.descriptor)
    dup2(other.descriptor, files.1.descriptor)
    #expect(!writer.write(session.change()))
    #expect(other.contents().isEmpty)
    dup2(kept.0, files.0.descriptor)
    dup2(kept.1, files.1.descriptor)
    #expect([files.0.contents(), files.1.contents()] == before)
    // With the next change everything is there again.
    #expect(writer.write(session.change()))
    #expect(
      newest(of: [files.0.contents(), files.1.contents()])?.image == session.image)
  }
}
