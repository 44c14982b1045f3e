internal import Glibc

/// A file or folder that is open: its descriptor is closed with it.
final class OpenFile: Sendable {
  let number: Int32

  /// - Parameter number: a descriptor that is closed nowhere else.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// What the system says of it; `nil` where it refuses.
  var status: stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }
}
