internal import Glibc

/// Why a file could not be read or changed: the operation, the path and the system's reason.
///
/// Catch it with `do throws(FileError)`, and look at it inside of `catch`:
///
/// ```swift
/// func note(at path: String) async throws -> String? {
///   @Dependency(\.fileSystem) var fileSystem
///   do throws(FileError) {
///     return try await fileSystem.readText(path)
///   } catch {
///     guard error.isNotFound else { throw error }
///     return nil
///   }
/// }
/// ```
///
/// A pattern with a condition, as in `catch let error where error.isNotFound`, crashes the compiler of
/// Swift 6.3.
public struct FileError: Error, Hashable, Sendable {
  /// What was tried.
  public enum Operation: String, Hashable, Sendable {
    case read
    case write
    case create
    case list
    case remove
    case createDirectory
    case stat
  }

  /// What was tried.
  public let operation: Operation
  /// The file or folder.
  public let path: String
  /// The system's number for the reason, as in `ENOENT`.
  public let code: Int32

  /// Creates an error.
  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// Whether the reason is that there is no such file or folder.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the reason is that there is such a file or folder already.
  public var isAlreadyThere: Bool { code == EEXIST }
}

extension FileError: CustomStringConvertible {
  /// What happened in one sentence: `can't read '/etc/shadow': Permission denied`.
  public var description: String {
    let attempt =
      switch operation {
      case .read: "read"
      case .write: "write"
      case .create: "create"
      case .list: "list"
      case .remove: "remove"
      case .createDirectory: "create the directory"
      case .stat: "stat"
      }
    return "can't \(attempt) '\(path)': \(String(cString: strerror(code)))"
  }
}
