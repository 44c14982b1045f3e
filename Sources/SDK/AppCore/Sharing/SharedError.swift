/// Why a shared value is not in its file: the file, the cause and the remedy.
///
/// ``Shared/storageError`` says whether a value has one. The app shows it above the screen, once.
public struct SharedError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// The file can't be read or written.
    case file(FileError)
    /// The file is not JSON, or the value in it does not fit.
    case damaged(String)
    /// The file has a field that this version of the feature does not know.
    case newer(field: String)
    /// The value was changed both here and, by another program, in the file.
    case conflict
    /// The value can't be encoded.
    case notEncodable(String)
    /// The path is relative, so that the file would be a different one in each working directory.
    case relativePath
    /// Another plugin has a value in the file: its name, empty for the program.
    case otherPlugin(String)
    /// There is no settings file in this process; the path is the setting's key.
    case noSettingsFile
  }

  /// The file.
  public let path: String
  /// What is wrong.
  public let cause: Cause
}

extension SharedError: CustomStringConvertible {
  /// What happened, in one sentence.
  public var description: String {
    switch cause {
    case .file(let error): "\(error)"
    case .damaged(let reason): "the file '\(path)' is damaged: \(reason)"
    case .newer(let field):
      "the file '\(path)' is from a newer version: it has the unknown field '\(field)'"
    case .conflict: "the file '\(path)' was changed by another program at the same time"
    case .notEncodable(let reason): "the value for the file '\(path)' can't be encoded: \(reason)"
    case .relativePath: "the shared value in '\(path)' is not kept: the path is relative"
    case .otherPlugin(let owner):
      "the shared value in '\(path)' is not kept: "
        + (owner.isEmpty ? "the program" : "the plugin '\(owner)'") + " has a value in that file"
    case .noSettingsFile:
      "the setting '\(path)' is not kept: no host gives this process a settings file"
    }
  }

  /// What to do about it.
  public var remedy: String {
    switch cause {
    case .file(let error) where error.operation == .read:
      "make the file readable, and its content is used"
    case .file: "make room or change the permissions; the next change is written again"
    case .damaged: "repair the file, and its content is used; or remove it, and it is written anew"
    case .newer: "use the newer version of the plugin; or remove the field from the file"
    case .conflict:
      "save the file again, and its content is used; or remove it, and this app's value is written"
    case .notEncodable: "correct the value's 'encode(to:)'"
    case .relativePath:
      "give an absolute path, in a manifest by '$data' or '$dir'; until then a copy is written at the "
        + "end of the app"
    case .otherPlugin:
      "name another file: what two plugins share goes through routes; until then a copy is written at "
        + "the end of the app"
    case .noSettingsFile:
      "set XDG_CONFIG_HOME or HOME; in a test, set '$0.sharedStorage = SharedStorage()'"
    }
  }

  func report() {
    let keeps: Bool =
      if case .file(let error) = cause { error.operation == .read } else { true }
    guard !isRefusal else { return RuntimeIssue.report("\(self)\n  - \(remedy)") }
    RuntimeIssue.report(
      """
      \(self)
        - the shared value stays as it is\(keeps ? ", and the file is not overwritten" : "")
        - \(remedy)
      """)
  }
}

extension SharedError {
  /// Whether the file itself could not be read or written.
  var isOfFile: Bool { if case .file = cause { true } else { false } }

  /// Whether the value has no place in a file at all.
  var isRefusal: Bool {
    switch cause {
    case .relativePath, .otherPlugin, .noSettingsFile: true
    case .file, .damaged, .newer, .conflict, .notEncodable: false
    }
  }
}

extension SharedError.Cause {
  /// The cause for a value that can't be decoded.
  static func damaged(by error: any Error) -> Self {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      return .damaged((place.isEmpty ? "" : "\(place): ") + context.debugDescription)
    default: return .damaged("\(error)")
    }
  }
}

/// A file has a field that the type of its value does not know.
struct NewerFile: Error {
  let field: String
}
