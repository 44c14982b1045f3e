internal import AppCore

/// A version of a note, which its file is named for: `<id>.<version>.txt`.
///
/// A version is never changed; saving a note creates its next version.
struct NoteFile: Codable, Hashable, Sendable {
  let id: UniqueID
  /// Counted from 1; 0 for a note that has not been saved yet.
  let version: Int

  init(id: UniqueID, version: Int) {
    self.id = id
    self.version = version
  }

  /// Parses the name of a file; `nil` if it is not exactly as ``name`` would write it.
  init?(name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let id = UniqueID(String(parts[0])), let version = Int(parts[1]),
      version > 0
    else { return nil }
    self.init(id: id, version: version)
    // Rejects other spellings: `+1`, `01`, an uppercase identifier.
    guard self.name == name else { return nil }
  }

  /// The file's name.
  var name: String { "\(id).\(version).txt" }

  /// The next version; `nil` if its number would overflow.
  var next: NoteFile? {
    let (version, overflow) = version.addingReportingOverflow(1)
    return overflow ? nil : NoteFile(id: id, version: version)
  }
}
