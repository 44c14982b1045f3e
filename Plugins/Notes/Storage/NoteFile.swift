internal import AppCore

/// One version of one note, as its file is named: `<id>.<version>.txt`.
///
/// A version never changes once it is there; to save is to make the next one.
struct NoteFile: Codable, Hashable, Sendable {
  let id: UniqueID
  /// Counted from 1; 0 stands for a note that is not there yet.
  let version: Int

  init(id: UniqueID, version: Int) {
    self.id = id
    self.version = version
  }

  /// Reads a file's name; `nil` if it is not exactly one that a note would have.
  init?(name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let id = UniqueID(String(parts[0])), let version = Int(parts[1]),
      version > 0
    else { return nil }
    self.init(id: id, version: version)
    // No second way to write a version: `+1`, `01`, an id in capitals.
    guard self.name == name else { return nil }
  }

  /// The file's name.
  var name: String { "\(id).\(version).txt" }

  /// What is saved over this version; `nil` if no number is left.
  var next: NoteFile? {
    let (version, overflow) = version.addingReportingOverflow(1)
    return overflow ? nil : NoteFile(id: id, version: version)
  }
}
