internal import PluginHost

/// A file in memory that says which app a worker runs.
///
/// The shared page knows the node of a call by its index. An image may be of another manifest and of
/// other builds of the plugins: that of the session that is being resumed, or of the app before it was
/// reloaded.
struct IdentityFile: Sendable {
  private let file: ImageFile

  /// - Returns: `nil` where the system grants none.
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

  /// The app; `nil` where none was noted.
  func read() -> SessionIdentity? {
    ImageFrame.read(file.contents()[...]).flatMap { ImageChange($0.content)?.identity }
  }
}
