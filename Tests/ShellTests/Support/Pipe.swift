import Glibc
import Synchronization
import TestSupport

@testable import LineEditor

/// A pipe that closes itself.
final class Pipe: Sendable {
  let reading: Int32
  private let writingEnd: Mutex<Int32?>

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure() }
    reading = ends[0]
    writingEnd = Mutex(ends[1])
  }

  struct Failure: Error {}

  deinit {
    close(reading)
    closeWriting()
  }

  var writing: Int32 { writingEnd.withLock { $0 ?? -1 } }

  func closeWriting() {
    writingEnd.withLock { end in
      if let descriptor = end { close(descriptor) }
      end = nil
    }
  }

  func closeReading() { close(reading) }

  /// Writes the pieces one by one from another thread, then closes; the pause is in microseconds.
  func writeInThread(_ pieces: [[UInt8]], pause: UInt32 = 1000) -> Thread {
    Thread {
      for piece in pieces {
        var rest = piece[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { write(self.writing, $0.baseAddress, $0.count) }
          if count <= 0 { return }
          rest = rest.dropFirst(count)
        }
        usleep(pause)
      }
      self.closeWriting()
    }
  }
}

/// A thread that can be waited for.
final class Thread {
  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if status != 0 { box.release() }
  }

  func join() { pthread_join(handle, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

extension PseudoTerminal {
  /// The local flags: echo and the like.
  var flags: tcflag_t { settings.c_lflag }

  /// Asks, types once the terminal no longer echoes, and gives the answer with all that was shown.
  func ask(_ question: String, typing: String) throws -> (
    answer: [UInt8]?, output: String
  ) {
    let typist = Thread { [self] in
      repeat { usleep(1000) } while flags & tcflag_t(ECHO) != 0
      let bytes = Array(typing.utf8)
      _ = write(leader, bytes, bytes.count)
    }
    let answer = try SecretPrompt.ask(question, input: follower, output: follower)
    typist.join()
    // What was written arrives in its own time; the question ends with a newline.
    var shown: [UInt8] = []
    while shown.last != 0x0a {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(leader, &buffer, buffer.count)
      guard count > 0 else { break }
      shown += buffer.prefix(count)
    }
    return (answer, String(decoding: shown, as: UTF8.self))
  }
}
