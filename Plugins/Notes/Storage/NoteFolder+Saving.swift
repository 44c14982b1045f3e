internal import AppCore

extension NoteFolder {
  /// Saves a text as the next version of a note, or as a new one.
  ///
  /// When this returns, the text is on the disk. Two processes never overwrite each other: the file
  /// of a version is made by one of them only, and whoever comes second keeps a note of its own. A
  /// version may also come late, after others were made and removed; then a later one is there.
  ///
  /// Saves of one note in this process run one after another. A text that is there already is not
  /// saved again.
  ///
  /// - Parameters:
  ///   - text: what is to be kept.
  ///   - base: the version that the text was made from, 0 of a note that is not there yet; `nil` for a
  ///     new note with an identifier of its own.
  ///   - earlier: what the same editor may have saved over `base` meanwhile; `text` replaces it.
  ///   - user: whose note it is.
  /// - Returns: the version that holds the text now, and whether it had to be another note's.
  /// - Throws: what kept the text from being saved; the note is as it was then.
  func save(
    _ text: String, over base: NoteFile?, after earlier: String? = nil, of user: String
  ) async throws(NoteError) -> SavedNote {
    let folder = try folder(of: user)
    guard let base else {
      try await createDirectory(folder)
      return SavedNote(note: try await saveNew(text, in: folder), isCopy: false)
    }
    await turns.begin(base.id)
    defer { turns.end(base.id) }
    // Whoever was cancelled while it waited is followed by a save that holds more.
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
    // The version before stays until the next time: whoever lists the folder meanwhile sees one of
    // the two. An older one that can't be removed only takes room.
    try? await remove(versions.filter { $0.version < base.version }, in: folder)
    return SavedNote(note: Note(file: next, text: text), isCopy: false)
  }

  /// Deletes a note.
  ///
  /// - Throws: ``NoteError/changedElsewhere`` where somebody saved it since `file`, and nothing is
  ///   deleted.
  func delete(_ file: NoteFile, of user: String) async throws(NoteError) {
    let folder = try folder(of: user)
    let versions = try await versions(of: file.id, in: folder)
    guard versions.allSatisfy({ $0.version <= file.version }) else { throw .changedElsewhere }
    // The oldest first: should it end in the middle, no older version comes back.
    try await remove(versions, in: folder)
  }

  private func saveNew(_ text: String, in folder: String) async throws(NoteError) -> Note {
    @Dependency(\.uuid) var uuid
    while true {
      let file = NoteFile(id: uuid(), version: 1)
      if try await make(file, text, in: folder) { return Note(file: file, text: text) }
    }
  }

  /// Makes a version's file.
  ///
  /// - Returns: whether there was none yet.
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
        // Somebody else removed it.
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
