internal import AppCore

/// A note as it was read: the version, and its text.
struct Note: Hashable, Sendable {
  /// How many bytes a note has at most.
  static let limit = 1 << 20

  let file: NoteFile
  let text: String

  /// What a text is called: its first line that is not blank.
  static func title(of text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).lazy.map(trimmed).first { !$0.isEmpty }
    guard let line else { return "(empty)" }
    return line.count > 60 ? line.prefix(59) + "…" : String(line)
  }

  /// The text of a note that is kept beside the one that somebody else saved.
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

/// A note as the list shows it.
struct NoteSummary: Codable, Hashable, Sendable {
  let id: UniqueID
  let title: String
  let changed: Instant
}

/// What a folder holds.
struct NoteListing: Codable, Hashable, Sendable {
  /// The notes, those changed last first.
  var notes: [NoteSummary] = []
  /// How many notes there are, whatever was looked for.
  var total = 0
  /// What is wrong with notes that can't be shown.
  var problems: [String] = []
}

/// What saving came to.
struct SavedNote: Hashable, Sendable {
  let note: Note
  /// Whether somebody else had saved the note first, so that this is a new one.
  let isCopy: Bool
}
