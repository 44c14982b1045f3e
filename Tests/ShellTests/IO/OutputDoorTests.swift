import Foundation
import Glibc
import TestSupport
import Testing

@testable import LineEditor
@testable import Supervision
@testable import Support

/// Nothing from outside gets past the door by which text leaves the program.
@Suite("The door to the terminal") struct OutputDoorTests {
  /// What comes out where something is written.
  private func written(_ text: String, as content: OutputWriter.Content) throws -> String {
    let pipe = try Pipe()
    let descriptor = pipe.writing
    // More than a pipe holds needs somebody who reads.
    let writer = Foundation.Thread {
      try? OutputWriter(descriptor: descriptor, content: content).write(text)
      pipe.closeWriting()
    }
    writer.start()
    let handle = FileHandle(fileDescriptor: pipe.reading, closeOnDealloc: false)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test("Of 60 hostile texts none does anything, whatever is written", arguments: HostileText.all)
  func hostile(text: String) throws {
    #expect(HostileText.all.count == 60)
    let plain = try written("a \(text) z\n", as: .text)
    #expect(
      HostileText.harm(of: plain.replacing("\t", with: "")) == nil, "\(plain.debugDescription)")
    let styled = try written("\u{1b}[1ma\u{1b}[0m \(text) z\n", as: .styled)
    #expect(
      HostileText.harm(of: styled.replacing("\t", with: ""), isColoured: true) == nil,
      "\(styled.debugDescription)")
    #expect(styled.utf8.starts(with: "\u{1b}[1ma\u{1b}[0m ".utf8))
    for row in TerminalRows.of(["a \(text) z"], columns: 40) {
      #expect(
        HostileText.harm(of: row.replacing("\t", with: ""), isColoured: true) == nil,
        "\(row.debugDescription)")
    }
  }

  @Test("JSON keeps what it means", arguments: HostileText.all)
  func json(text: String) throws {
    let line = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
    let result = try written(line + "\n", as: .json)
    // Marks are text, which a program may want.
    if !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .nonspacingMark }),
      !text.contains("\u{489}")
    {
      #expect(HostileText.harm(of: result) == nil, "\(result.debugDescription)")
    }
    let read = try JSONDecoder().decode([String].self, from: Data(result.utf8))
    #expect(read.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
  }

  @Test("Emoji, and scripts that need joiners and marks, come out as they are")
  func harmless() throws {
    let text = "👩‍👩‍👧 🏳️‍🌈 می‌خواهم क्‍ष e\u{301} ế שלום مرحبا 한국어\n"
    #expect(try written(text, as: .text) == text)
    #expect(try written(text, as: .styled) == text)
  }

  @Test("Nothing in the host writes to a standard stream by another way")
  func sources() throws {
    // Those that write when the process ends, where nothing else may be used: texts of their own.
    let exceptions = ["StartGuard.swift", "ProcessExit.swift", "TerminalModes.swift"]
    let sources = packageFolder.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("SDK") }
    #expect(files.count > 200)
    for file in files where !exceptions.contains(where: file.hasSuffix) {
      let text = try String(contentsOfFile: sources.path + "/" + file, encoding: .utf8)
      let code = text.split(separator: "\n").filter { !$0.contains(/^ *\/\/|func print/) }
        .joined(separator: "\n")
      #expect(
        !code.contains(
          /(^|[^.\w"`])(print|debugPrint|puts|perror)\(|FileHandle\.standard|standard(Error|Output)\(|[^\w]write\((1|2|STDOUT_FILENO|STDERR_FILENO)\b/
        ), "\(file) writes past the door")
    }
  }
}

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
