internal import AppCore
internal import Glibc

/// Why a note can't be read, saved or deleted.
enum NoteError: Error, Hashable, Sendable {
  /// The configured folder begins with `~/`, and `HOME` is not set to an absolute path.
  case noHome(folder: String)
  /// The configured folder is a relative path, which depends on where the app was started.
  case relativeFolder(String)
  /// The user's name is empty or too long for the name of a folder.
  case badUser(String)
  /// A link or a route has an identifier that is not a note's.
  case badID(String)
  case noSuchNote
  /// The path leads to something other than a regular file.
  case notAFile(String)
  case tooLong(bytes: Int)
  /// The file's bytes are not UTF-8.
  case notText(String)
  /// Another window has saved the note since it was read.
  case changedElsewhere
  /// The task was cancelled while it waited for its turn.
  case cancelled
  case file(FileError)
}

extension NoteError: CustomStringConvertible {
  /// The cause, and a remedy if there is one.
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
