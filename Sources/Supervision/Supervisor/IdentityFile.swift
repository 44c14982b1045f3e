internal import PluginHost
internal import Sessions

/// A file in memory with the identity of the app that a worker runs, and the plugins whose
/// suspension the user has ended in it, a frame each.
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

  var descriptor: Int32 { file.descriptor }

  func write(_ identity: SessionIdentity) {
    let retried = readRetried()
    file.truncate()
    _ = file.write(ImageFrame.bytes(ImageChange(identity: identity).lines, number: 1), at: 0)
    for plugin in retried.sorted() { addRetried(plugin) }
  }

  /// Appends the name of a plugin whose suspension has ended.
  func addRetried(_ plugin: String) {
    guard !readRetried().contains(plugin) else { return }
    _ = file.write(ImageFrame.bytes([plugin], number: 2), at: file.contents().count)
  }

  /// The plugins whose suspension has ended.
  func readRetried() -> Set<String> {
    var plugins: Set<String> = []
    var rest = file.contents()[...]
    while let frame = ImageFrame.read(rest) {
      if frame.number == 2 {
        plugins.insert(String(decoding: frame.content.dropLast(), as: UTF8.self))
      }
      rest = rest[frame.content.endIndex...]
    }
    return plugins
  }

  func clear() { file.truncate() }

  /// The identity; `nil` if none was written, or the content is damaged.
  func read() -> SessionIdentity? {
    ImageFrame.read(file.contents()[...]).flatMap { ImageChange($0.content)?.identity }
  }
}
