/// An error in reading or writing a file descriptor.
public enum InputOutputError: Error, Hashable, Sendable {
  /// The reader of the output has closed it (`EPIPE`).
  case readerGone
  /// There is no space left (`ENOSPC`, `EDQUOT`).
  case noSpace
  /// Reading failed with this error.
  case cannotRead(errno: Int32)
  /// Writing failed with this error.
  case cannotWrite(errno: Int32)
}

extension InputOutputError: CustomStringConvertible {
  /// What went wrong, with the system's message.
  public var description: String {
    switch self {
    case .readerGone: "nobody reads the output any more"
    case .noSpace: "there is no room left to write the output"
    case .cannotRead(let number): "the input can't be read: \(SystemError(number))"
    case .cannotWrite(let number): "the output can't be written: \(SystemError(number))"
    }
  }
}
