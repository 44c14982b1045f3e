internal import AppCore

extension NoteFolder {
  /// Saves a text as the next version of a note, or as a new one.
  ///
  /// When this returns, the text is on disk. Two processes never overwrite each other: only one of
  /// them can create the file of a version, and the other saves its text as a copy, a new note. The
  /// text becomes a copy, too, if a version later than its own exists by then.
  ///
  /// Saves of one note in this process run one after another, in the order of their turns. If the next
  /// version already holds `text`, it is not saved again.
  ///
  /// - Parameters:
  ///   - text: the text to save.
  ///   - base: the version that was edited, or version 0 of a note that is not on disk yet; `nil`
  ///     for a new note with a new identifier.
  ///   - earlier: the text that the same editor may have saved over `base` meanwhile; `text` is
  ///     then saved over it.
  ///   - user: the name of the user whose note it is.
  ///   - turn: a turn of the note that was taken before; this ends it.
  /// - Returns: the version that holds the text, and whether it is a copy in a new note.
  /// - Throws: why the text was not saved; the note on disk is unchanged.
  func save(
    _ text: String, over base: NoteFile?, after earlier: String? = nil, of user: String,
    in turn: SaveTurns.Turn? = nil
  ) async throws(NoteError) -> SavedNote {
    let turn = turn ?? base.map { turns.take($0.id) }
    defer { if let turn { turns.end(turn) } }
    let folder = try folder(of: user)
    guard let base else {
      try await createDirectory(folder)
      return SavedNote(note: try await saveNew(text, in: folder), isCopy: false)
    }
    await turn?.wait()
    // A save that was cancelled while it waited is superseded by one with newer text.
    if Task.isCancelled { throw .cancelled }
    try await createDirectory(folder)
    return try await save(text, over: base, after: earlier, in: folder)
  }

  private func createDirectory(_ folder: String) async throws(NoteError) {
    try await attempt { () async throws(FileError) in try await files.createDirectory(folder) }
  }

  private func save(
    _ text: String, over base: NoteFile, after earlier: String?, in folder: String
  ) async throws(NoteError) -> SavedNote {
    guard let next = base.next else {
      return SavedNote(
        note: try await saveNew(Note.markedAsCopy(text), in: folder), isCopy: true)
    }
    guard try await make(next, text, in: folder) else {
      let there = try? await read(next, in: folder).note
      if let there, there.text == text { return SavedNote(note: there, isCopy: false) }
      if let earlier, there?.text == earlier {
        return try await save(text, over: next, after: nil, in: folder)
      }
      return SavedNote(
        note: try await saveNew(Note.markedAsCopy(text), in: folder), isCopy: true)
    }
    let versions = try await versions(of: next.id, in: folder)
    guard versions.allSatisfy({ $0.version <= next.version }) else {
      try await remove([next], in: folder)
      return SavedNote(
        note: try await saveNew(Note.markedAsCopy(text), in: folder), isCopy: true)
    }
    // `base` stays until the next save, so that a concurrent listing always finds a version. An
    // older version that can't be removed only takes up space.
    try? await remove(versions.filter { $0.version < base.version }, in: folder)
    return SavedNote(note: Note(file: next, text: text), isCopy: false)
  }

  /// Deletes a note.
  ///
  /// - Throws: ``NoteError/changedElsewhere`` if there is a version later than `file`; nothing is
  ///   deleted then.
  func delete(_ file: NoteFile, of user: String) async throws(NoteError) {
    let folder = try folder(of: user)
    let versions = try await versions(of: file.id, in: folder)
    guard versions.allSatisfy({ $0.version <= file.version }) else { throw .changedElsewhere }
    // The oldest first: if this is interrupted, no older version becomes the latest.
    try await remove(versions, in: folder)
  }

  private func saveNew(_ text: String, in folder: String) async throws(NoteError) -> Note {
    @Dependency(\.uuid) var uuid
    while true {
      let file = NoteFile(id: uuid(), version: 1)
      if try await make(file, text, in: folder) { return Note(file: file, text: text) }
    }
  }

  /// Creates a version's file.
  ///
  /// - Returns: `false` if the file already exists.
  private func make(
    _ file: NoteFile, _ text: String, in folder: String
  ) async throws(NoteError) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= Note.limit else { throw .tooLong(bytes: bytes.count) }
    do throws(FileError) {
      try await files.create(bytes, at: "\(folder)/\(file.name)")
      return true
    } catch {
      if error.isAlreadyThere { return false }
      throw .file(error)
    }
  }

  /// The versions of a note, the oldest first.
  private func versions(
    of id: UniqueID, in folder: String
  ) async throws(NoteError) -> [NoteFile] {
    try await names(in: folder).compactMap(NoteFile.init(name:)).filter { $0.id == id }
      .sorted { $0.version < $1.version }
  }

  private func remove(_ versions: [NoteFile], in folder: String) async throws(NoteError) {
    for file in versions {
      do throws(FileError) {
        try await files.remove("\(folder)/\(file.name)")
      } catch {
        // Another process has removed it.
        if !error.isNotFound { throw .file(error) }
      }
    }
  }

  private func attempt(
    _ body: () async throws(FileError) -> Void
  ) async throws(NoteError) {
    do throws(FileError) {
      try await body()
    } catch {
      throw .file(error)
    }
  }
}
