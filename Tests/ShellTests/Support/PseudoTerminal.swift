import Glibc

@testable import LineEditor

/// A terminal that a test types into.
final class PseudoTerminal {
  let master: Int32
  let slave: Int32

  init() throws {
    // The module map has no `posix_openpt`: unlock, and ask for the number, as it does.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var locked: Int32 = 0
    var number: Int32 = 0
    let unlock: UInt = 0x4004_5431
    let getNumber: UInt = 0x8004_5430
    guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0
    else { throw Pipe.Failure() }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw Pipe.Failure() }
  }

  deinit {
    close(slave)
    close(master)
  }

  func resize(columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// The local flags: echo and the like.
  var flags: tcflag_t {
    var settings = termios()
    tcgetattr(slave, &settings)
    return settings.c_lflag
  }

  /// Asks, types once the terminal no longer echoes, and gives the answer with all that was shown.
  func ask(_ question: String, typing: String) throws -> (
    answer: SecretPrompt.Answer, output: String
  ) {
    let (master, slave) = (master, slave)
    let typist = Thread {
      var settings = termios()
      repeat {
        usleep(1000)
        tcgetattr(slave, &settings)
      } while settings.c_lflag & tcflag_t(ECHO) != 0
      let bytes = Array(typing.utf8)
      _ = write(master, bytes, bytes.count)
    }
    let answer = try SecretPrompt(input: slave, output: slave).ask(question)
    typist.join()
    // What was written arrives in its own time; the question ends with a newline.
    var shown: [UInt8] = []
    while shown.last != 0x0a {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      shown += buffer.prefix(count)
    }
    return (answer, String(decoding: shown, as: UTF8.self))
  }
}
