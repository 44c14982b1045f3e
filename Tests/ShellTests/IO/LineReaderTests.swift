import Glibc
import Testing

@testable import Support

@Suite(.serialized) struct LineReaderTests {
  /// The events of an input that a pipe gives in these pieces.
  private func events(
    _ pieces: [[UInt8]], limit: Int = 1 << 20
  ) throws -> [LineReader.Event] {
    let pipe = try Pipe()
    let writing = pipe.writeInThread(pieces)
    var reader = LineReader(descriptor: pipe.reading, limit: limit)
    var events: [LineReader.Event] = []
    repeat { events.append(try reader.next()) } while events.last != .end
    writing.join()
    return events
  }

  private func lines(_ text: String) throws -> [LineReader.Event] {
    try events([Array(text.utf8)])
  }

  @Test("Lines come without their newlines, and the last one needs none")
  func lines() throws {
    #expect(try lines("a\n\nb") == [.line([0x61]), .line([]), .line([0x62]), .end])
    #expect(try lines("a\r\n") == [.line([0x61, 0x0d]), .end])
    #expect(try lines("") == [.end])
    #expect(try lines("\n") == [.line([]), .end])
  }

  @Test("A line may come in pieces, and hold any bytes")
  func pieces() throws {
    #expect(
      try events([[0xff], [0x00, 0x0a, 0x31], [0x32]])
        == [.line([0xff, 0x00]), .line([0x31, 0x32]), .end])
  }

  @Test("A line that is too long is dropped to its end and told about; the next one is read")
  func tooLong() throws {
    let long = [UInt8](repeating: 0x61, count: 300_000)
    #expect(
      try events([long, [0x0a, 0x62, 0x0a]], limit: 1000)
        == [.tooLong(limit: 1000), .line([0x62]), .end])
    #expect(try events([long], limit: 1000) == [.tooLong(limit: 1000), .end])
    #expect(
      try events([Array(repeating: 0x61, count: 10) + [0x0a]], limit: 10)
        == [.line(Array(repeating: 0x61, count: 10)), .end])
    #expect(
      try events([Array(repeating: 0x61, count: 11) + [0x0a]], limit: 10)
        == [.tooLong(limit: 10), .end])
  }

  @Test("A descriptor that can't be read is an error and not the end")
  func unreadable() throws {
    var reader = LineReader(descriptor: 9999)
    #expect(throws: InputOutputError.cannotRead(errno: EBADF)) { _ = try reader.next() }
  }

  @Test("A descriptor that somebody made non-blocking is waited for")
  func nonBlocking() throws {
    let pipe = try Pipe()
    _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
    let writing = pipe.writeInThread([[0x61], [0x0a]], pause: 20_000)
    var reader = LineReader(descriptor: pipe.reading)
    #expect(try reader.next() == .line([0x61]))
    #expect(try reader.next() == .end)
    writing.join()
  }

  @Test("Lines that came together are known to be there")
  func hasLine() throws {
    let pipe = try Pipe()
    pipe.writeInThread([Array("a\nb\nc".utf8)]).join()
    var reader = LineReader(descriptor: pipe.reading)
    var known = [reader.hasLine]
    for _ in 0..<2 {
      _ = try reader.next()
      known.append(reader.hasLine)
    }
    #expect(known == [false, true, false])
  }
}
