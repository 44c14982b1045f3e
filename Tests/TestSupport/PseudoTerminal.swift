package import Glibc

/// A pseudo-terminal; both of its descriptors are closed when the object is deinitialized.
package final class PseudoTerminal: Sendable {
  /// The error that the terminal can't be opened, with the error number.
  package struct NotOpened: Error { let error: Int32 }

  /// The descriptor of the user's side.
  package let leader: Int32
  /// The descriptor of the program's side.
  package let follower: Int32

  package init() throws {
    // Swift's Glibc module has no `posix_openpt`, `unlockpt` or `ptsname`, so this makes their
    // system calls.
    leader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var locked: Int32 = 0
    var number: Int32 = 0
    let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    guard leader >= 0, ioctl(leader, unlock, &locked) == 0, ioctl(leader, getNumber, &number) == 0
    else { throw NotOpened(error: errno) }
    follower = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard follower >= 0 else { throw NotOpened(error: errno) }
  }

  deinit {
    close(follower)
    close(leader)
  }

  package func resize(columns: Int, rows: Int = 24) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(leader, UInt(TIOCSWINSZ), &size)
  }

  /// The terminal's settings, such as echo and canonical mode.
  package var settings: termios {
    var settings = termios()
    tcgetattr(follower, &settings)
    return settings
  }
}
