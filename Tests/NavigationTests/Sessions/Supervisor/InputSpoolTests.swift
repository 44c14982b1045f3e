import Glibc
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

  @Test("A long input whose lines were carried out takes no memory")
  func long() throws {
    let file = try #require(ImageFile(inMemory: "test-input"))
    let source = try #require(ImageFile(inMemory: "test-source"))
    let line = Array("a line of sixteen".utf8) + [10]
    let count = (1 << 20) / line.count + 1
    try #require(source.write(Array(repeatElement(line, count: count).joined()), at: 0))
    let size = line.count * count
    let first = InputSpool(file)
    #expect(try read(first, from: source.descriptor, size).utf8.count == size)

    let second = InputSpool(file)
    _ = try read(second, from: source.descriptor, size - line.count)
    second.forget(lines: count - 1)
    #expect(try read(InputSpool(file), from: source.descriptor, 100).utf8.count == line.count)
    _ = try read(second, from: source.descriptor, 100)
    second.forget(lines: count)
    #expect(file.contents().count < 100)
  }
}
