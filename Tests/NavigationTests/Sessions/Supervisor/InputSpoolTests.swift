import Glibc
import Support
import Testing

@testable import Sessions
@testable import Supervision

@Suite("The input of a script that outlives its worker")
struct InputSpoolTests {
  /// Reads what there is, at most `count` bytes.
  private func read(_ spool: InputSpool, from descriptor: Int32, _ count: Int) throws -> String {
    String(decoding: try spool.read(descriptor, atMost: count), as: UTF8.self)
  }

  @Test("Lines that a worker has not read yet are kept when those before them were carried out")
  func unread() throws {
    let file = try #require(ImageFile(inMemory: "test-input"))
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let text = "one\ntwo\nthree\n"
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    close(ends[1])
    #expect(try read(InputSpool(file), from: ends[0], 100) == text)

    let second = InputSpool(file)
    #expect(try read(second, from: ends[0], 8) == "one\ntwo\n")
    second.forget(lines: 2)

    let third = InputSpool(file)
    #expect(third.firstLine == 2)
    #expect(try read(third, from: ends[0], 100) == "three\n")
    third.forget(lines: 3)
    #expect(try read(third, from: ends[0], 100) == "")
    #expect(try read(InputSpool(file), from: ends[0], 100) == "")
  }

  @Test("Lines that were carried out take no memory, wherever what was read at once ends")
  func long() throws {
    let file = try #require(ImageFile(inMemory: "test-input"))
    let source = try #require(ImageFile(inMemory: "test-source"))
    let line = Array("a line of sixteen".utf8) + [10]
    let count = (8 << 20) / line.count
    try #require(source.write(Array(repeatElement(line, count: count).joined()), at: 0))
    let spool = InputSpool(file)
    var reader = LineReader { count throws(InputOutputError) in
      try spool.read(source.descriptor, atMost: count)
    }
    var size = 0
    for number in 1..<count {
      #expect(try reader.next() == .line(line.dropLast()))
      if reader.isEmpty { spool.forget(lines: number) }
      size = max(size, file.size)
    }
    #expect(size < 2 << 20)

    let next = InputSpool(file)
    #expect(next.firstLine > count / 2)
    reader = LineReader { count throws(InputOutputError) in
      try next.read(source.descriptor, atMost: count)
    }
    for _ in next.firstLine..<count { #expect(try reader.next() == .line(line.dropLast())) }
    #expect(try reader.next() == .end)
  }
}
