import Glibc
import Testing

@testable import Supervision
@testable import Support

@Suite struct OutputWriterTests {
  @Test("Lines are written wholly, however small the pipe is")
  func whole() throws {
    let pipe = try Pipe()
    _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    let lines = (0..<20_000).map { "line \($0) with some text" }
    let writing = Thread {
      try? OutputWriter(descriptor: pipe.writing).write(lines: lines)
      pipe.closeWriting()
    }
    var reader = LineReader(descriptor: pipe.reading)
    var count = 0
    while case .line(let bytes) = try reader.next() {
      #expect(bytes == Array(lines[count].utf8))
      count += 1
    }
    writing.join()
    #expect(count == lines.count)
  }

  @Test("A reader that has gone is an error of its own")
  func readerGone() throws {
    ProcessSignals.ignoreFailedWrites()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(throws: InputOutputError.readerGone) {
      try OutputWriter(descriptor: ends[1]).write("x")
    }
  }

  @Test("A full disk is an error of its own")
  func noSpace() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    #expect(throws: InputOutputError.noSpace) { try OutputWriter(descriptor: full).write("x") }
    #expect(InputOutputError.noSpace.description == "there is no room left to write the output")
  }

  @Test("A descriptor that isn't open is an error with the system's words")
  func closed() {
    #expect(throws: InputOutputError.cannotWrite(errno: EBADF)) {
      try OutputWriter(descriptor: 9999).write("x")
    }
    #expect(
      InputOutputError.cannotWrite(errno: EBADF).description
        == "the output can't be written: Bad file descriptor")
  }
}
