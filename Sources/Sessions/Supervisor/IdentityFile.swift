internal import PluginHost

/// A file in memory with the identity of the app that a worker runs.
///
/// The page that a worker shares with its supervisor identifies the node of a call by its index;
/// the identity has the node's name. The identity in the image does not serve: it may be that of a
/// session that is being resumed, or of the app before a reload.
struct IdentityFile: Sendable {
  private let file: ImageFile

  /// Creates an empty file.
  ///
  /// - Returns: `nil` if the system can't create a file in memory.
  init?() {
    guard let file = ImageFile(inMemory: "appcore-names") else { return nil }
    self.file = file
  }

  func write(_ identity: SessionIdentity) {
    var change = ImageChange()
    change.identity = identity
    let frame = ImageFrame.bytes(change.bytes, number: 1)
    file.truncate()
    _ = file.write(frame, at: 0)
  }

  func clear() { file.truncate() }

  /// The identity; `nil` if none was written, or the content is damaged.
  func read() -> SessionIdentity? {
    ImageFrame.read(file.contents()[...]).flatMap { ImageChange($0.content)?.identity }
  }
}
