/// The progress of loading a status file.
struct LoadProgress: Hashable, Sendable {
  /// The stages, in order: the whole file is read before it is indexed.
  enum Stage: Hashable, Sendable {
    case reading
    case indexing
  }

  /// A stage is reported at most this often, whatever the file's size.
  static let reportsPerStage = 20

  let stage: Stage
  /// The number of bytes that the stage has processed.
  let bytesDone: Int
  /// The number of bytes in the stage: the file's size when it was opened, or the bytes read.
  let bytesTotal: Int
}
