internal import AppCore
internal import Glibc

/// The notes of all users: a folder for each user, with a file for each version of a note.
///
/// Several processes may use it at once. A note is saved by creating the file of its next version,
/// which succeeds in only one of them; see ``save(_:over:after:of:in:)``.
struct NoteFolder: Sendable {
  /// The path as configured; a leading `~/` is the home folder.
  let path: String
  let turns = SaveTurns()
  @Dependency(\.fileSystem) var files
  @Dependency(\.environment) private var environment

  init(path: String) { self.path = path }

  /// The absolute path of a user's folder.
  func folder(of user: String) throws(NoteError) -> String {
    let name = try UserFolder(user: user).name
    guard path.hasPrefix("~/") else {
      guard path.hasPrefix("/") else { throw .relativeFolder(path) }
      return "\(path)/\(name)"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { throw .noHome(folder: path) }
    return "\(home)/\(path.dropFirst(2))/\(name)"
  }

  /// The notes that contain a text, ignoring case.
  ///
  /// - Complexity: O(*n*), where *n* is the total size of the user's notes: every note is read.
  func notes(of user: String, matching query: String) async throws(NoteError) -> NoteListing {
    let folder = try folder(of: user)
    var listing = NoteListing()
    let query = query.lowercased()
    for file in Self.latest(try await names(in: folder)) {
      do throws(NoteError) {
        let (note, changed) = try await read(file, in: folder)
        listing.total += 1
        guard query.isEmpty || note.text.lowercased().contains(query) else { continue }
        listing.notes.append(
          NoteSummary(id: file.id, title: Note.title(of: note.text), changed: changed))
      } catch .noSuchNote {
        // Deleted since the folder was listed.
      } catch .tooLong(let bytes) {
        listing.problems.append(
          "'\(folder)/\(file.name)' has \(bytes) bytes; a note has at most \(Note.limit)")
      } catch {
        listing.problems.append("\(error)")
      }
    }
    listing.notes.sort {
      ($1.changed, $0.title, $0.id.description) < ($0.changed, $1.title, $1.id.description)
    }
    return listing
  }

  /// The latest version of a note.
  func note(_ id: UniqueID, of user: String) async throws(NoteError) -> Note {
    let folder = try folder(of: user)
    let all = Self.latest(try await names(in: folder))
    guard let file = all.first(where: { $0.id == id }) else { throw .noSuchNote }
    return try await read(file, in: folder).note
  }

  /// The names of the files in a folder; empty if the folder does not exist.
  func names(in folder: String) async throws(NoteError) -> [String] {
    do throws(FileError) {
      return try await files.list(folder)
    } catch {
      if error.code == ENOENT { return [] }
      throw .file(error)
    }
  }

  /// The latest version of every note; other files are ignored.
  static func latest(_ names: [String]) -> [NoteFile] {
    var latest: [UniqueID: NoteFile] = [:]
    for file in names.lazy.compactMap(NoteFile.init(name:)) {
      if let known = latest[file.id], known.version > file.version { continue }
      latest[file.id] = file
    }
    return latest.values.sorted { $0.name < $1.name }
  }

  func read(
    _ file: NoteFile, in folder: String
  ) async throws(NoteError) -> (note: Note, changed: Instant) {
    let path = "\(folder)/\(file.name)"
    let status: FileStatus
    let bytes: [UInt8]
    do throws(FileError) {
      status = try await files.status(of: path)
      // Checked before reading: a pipe would block forever, and a huge file would fill the memory.
      let isReadable = status.kind == .file && status.size <= Note.limit
      bytes = isReadable ? try await files.read(path) : []
    } catch {
      throw error.isNotFound ? .noSuchNote : .file(error)
    }
    guard status.kind == .file else { throw .notAFile(path) }
    guard status.size <= Note.limit else { throw .tooLong(bytes: status.size) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path) }
    return (Note(file: file, text: text), status.modified)
  }
}
