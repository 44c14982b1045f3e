package import Foundation
internal import Glibc
internal import Testing

/// Reads the output of a program with which a test converses.
package struct ProgramOutput {
  /// How long a program may print nothing while a test waits for it, in seconds.
  private static let timeout: Int32 = 300

  private let process: ChildProcess
  private let handle: FileHandle
  private var rest = Data()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - handle: the end of the pipe that the program writes to.
  ///   - process: the program, which is killed if the test would wait for it without end.
  package init(_ handle: FileHandle, of process: ChildProcess) {
    self.handle = handle
    self.process = process
  }

  /// The next line, without its newline; `nil` at the end.
  package mutating func line() -> Data? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = rest[rest.index(after: end)...] }
        return rest[..<end]
      }
      var entry = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, Self.timeout * 1000) == 0 {
        Issue.record("the program has printed nothing for \(Self.timeout) s, and is killed")
        process.send(SIGKILL)
        return nil
      }
      let more = handle.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}
