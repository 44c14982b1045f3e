internal import AppCore
internal import Glibc

/// Why a note can't be loaded or kept.
enum NoteError: Error, Hashable, Sendable {
  /// The configured folder begins with `~/`, and nobody knows whose home that is.
  case noHome(folder: String)
  /// The configured folder depends on where the app was started.
  case relativeFolder(String)
  /// No folder can be called so.
  case badUser(String)
  /// A link or a route names something that no note is called.
  case badID(String)
  case noSuchNote
  /// The file is not an ordinary file.
  case notAFile(String)
  case tooLong(bytes: Int)
  /// The file's bytes are not UTF-8.
  case notText(String)
  /// Another window has saved it since it was read.
  case changedElsewhere
  /// Nobody waits for it any more.
  case cancelled
  case file(FileError)
}

extension NoteError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  var description: String {
    switch self {
    case .noHome(let folder):
      "the notes' folder is '\(folder)', but HOME is not set; set it, or give the plugin a "
        + "'folder' that begins with '/'"
    case .relativeFolder(let folder):
      "the notes' folder is '\(folder)'; give the plugin a 'folder' that begins with '/' or '~/'"
    case .badUser(let user):
      user.isEmpty
        ? "a user without a name has no folder" : "the name '\(user.prefix(40))…' is too long"
    case .badID(let id): "no note is called '\(id)'"
    case .noSuchNote: "there is no such note, or no longer"
    case .notAFile(let path): "'\(path)' is not a regular file"
    case .tooLong(let bytes):
      "it has \(bytes) bytes; a note has at most \(Note.limit). Make two notes of it"
    case .notText(let path): "'\(path)' is not UTF-8 text"
    case .changedElsewhere:
      "another window has saved it meanwhile; go back and open it again to see how it is now"
    case .cancelled: "it was cancelled"
    case .file(let error): Self.remedy(error.code).map { "\(error); \($0)" } ?? "\(error)"
    }
  }

  private static func remedy(_ code: Int32) -> String? {
    switch code {
    case ENOSPC, EDQUOT: "make room on the disk, then try again"
    case EACCES, EPERM: "get the permission to write there, then try again"
    case EROFS: "the disk can only be read"
    case ENOTDIR, EEXIST: "something else than a folder has its name"
    default: nil
    }
  }
}
