/// How far the reading of a status file has come.
struct LoadProgress: Hashable, Sendable {
  /// What is being done: first all of one, then all of the other.
  enum Stage: Hashable, Sendable {
    case reading
    case indexing
  }

  /// A stage is reported at most this often, whatever the file's size.
  static let reportsPerStage = 20

  let stage: Stage
  /// Bytes read, or bytes indexed.
  let bytesDone: Int
  /// The file's size in bytes, as it was when it was opened.
  let bytesTotal: Int
}
