internal import Glibc

/// Why a file could not be read or changed: the operation, the path and the system's reason.
///
/// Catch it with `do throws(FileError)`, and inspect it inside `catch`:
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
/// A pattern with a condition, as in `catch let error where error.isNotFound`, crashes the compiler
/// of Swift 6.3.
public struct FileError: Error, Hashable, Sendable {
  /// An operation that failed.
  public enum Operation: String, Hashable, Sendable {
    case read
    case write
    case create
    case list
    case remove
    case createDirectory
    case stat
  }

  public let operation: Operation
  /// The file or folder.
  public let path: String
  /// The system's error number (`errno`), such as `ENOENT`.
  public let code: Int32

  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// Whether the file or folder does not exist.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the file or folder already exists.
  public var isAlreadyThere: Bool { code == EEXIST }
}

extension FileError: CustomStringConvertible {
  /// A one-line message, such as `can't read '/etc/shadow': Permission denied`.
  public var description: String {
    let attempt = operation == .createDirectory ? "create the directory" : operation.rawValue
    return "can't \(attempt) '\(path)': \(String(cString: strerror(code)))"
  }
}
