import Glibc
import TestSupport

@testable import LineEditor

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
