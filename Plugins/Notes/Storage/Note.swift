internal import AppCore

/// A version of a note, with its text.
struct Note: Hashable, Sendable {
  /// The maximum size of a note, in bytes.
  static let limit = 1 << 20

  let file: NoteFile
  let text: String

  /// The title of a text: its first line that is not blank, shortened to 60 characters.
  static func title(of text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).lazy.map(trimmed).first { !$0.isEmpty }
    guard let line else { return "(empty)" }
    return line.count > 60 ? line.prefix(59) + "…" : String(line)
  }

  /// The name of a note in messages about what was not saved.
  static func name(of text: String) -> String { "the note '\(title(of: text))'" }

  /// The text of a copy, whose title is marked; it is saved because another writer saved the note.
  static func markedAsCopy(_ text: String) -> String {
    let mark = " (other copy)"
    let line = text.firstIndex { !$0.isWhitespace } ?? text.startIndex
    let end = text[line...].firstIndex(where: \.isNewline) ?? text.endIndex
    return text[..<end] + mark + text[end...]
  }

  private static func trimmed(_ line: Substring) -> Substring {
    let start = line.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }
}

/// A row of the list of notes.
struct NoteSummary: Codable, Hashable, Sendable {
  let id: UniqueID
  let title: String
  let changed: Instant
}

/// The notes of a folder that match a query.
struct NoteListing: Codable, Hashable, Sendable {
  /// The notes that match, the latest change first.
  var notes: [NoteSummary] = []
  /// The number of readable notes, including those that do not match.
  var total = 0
  /// Why some notes can't be shown, a message for each.
  var problems: [String] = []
}

/// The result of a save.
struct SavedNote: Hashable, Sendable {
  let note: Note
  /// Whether another writer had saved the note first, so that the text is in a new note.
  let isCopy: Bool
}
