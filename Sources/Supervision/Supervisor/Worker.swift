package import Sessions
internal import Support

/// A process that runs the app for a supervisor, with what it has inherited from that.
///
/// Where no process can be started after a crash, the supervisor becomes one itself.
package struct Worker: Sendable {
  /// This process as a worker; `nil` if it never had a supervisor.
  ///
  /// Set once, before other threads exist.
  package nonisolated(unsafe) internal(set) static var current: Worker?

  /// The crashes of the previous workers, the latest last.
  package let ends: [WorkerCrash]
  /// When the previous worker ended or, for the first one, when this one was forked, in
  /// nanoseconds.
  package let start: Int
  let files: (ImageFile, ImageFile)
  let names: IdentityFile
  /// The input of a script that was read but not carried out; `nil` on a terminal.
  package let input: InputSpool?
  /// The connection to the app's socket, which the supervisor holds; `nil` if there is none.
  package let socket: SocketLink?

  package var descriptors: [Int32] {
    [files.0.descriptor, files.1.descriptor, names.descriptor]
      + (socket?.descriptors ?? [])
  }

  /// Writes and reads an image in the supervisor, while it has nothing else to do, so that the workers
  /// that are forked later need not wait for what the runtime does at the first one: it makes the
  /// coders' types, which takes about a millisecond.
  static func prepareNext() {
    let identity = SessionIdentity(
      plugins: [.init(name: "", version: "", digest: "")], nodes: [.init(name: "", feature: "")])
    let frame = ImageFrame.bytes(SessionImage(identity: identity).whole.lines, number: 1)
    _ = try? ImageReader.read(ImageFrame.header + frame)
  }

  /// Reads the previous worker's image, and creates a writer that continues it.
  ///
  /// - Parameter saved: the image to begin with if there is none yet. It is written at once, so
  ///   that an app that crashes while it is being resumed is restored like any other.
  /// - Returns: the image, if there is one, and the writer.
  package func openImage(
    orKeeping saved: SessionImage? = nil
  ) -> (image: SessionImage?, writer: ImageWriter) {
    var found = Self.newest(of: files)
    if found == nil, let saved {
      ImageWriter(files: files, after: 0).write(saved.whole)
      found = Self.newest(of: files)
    }
    return (
      found?.image,
      ImageWriter(files: files, after: found?.number ?? 0, current: found?.file ?? 0)
    )
  }

  /// The newer image of two files, and the index of its file.
  private static func newest(
    of files: (ImageFile, ImageFile)
  ) -> (image: SessionImage, number: UInt64, file: Int)? {
    [files.0, files.1].enumerated()
      .compactMap { index, file in
        (try? ImageReader.read(file.contents())).map { ($0.image, $0.number, index) }
      }
      .max { $0.1 < $1.1 }
  }

  /// Tells the supervisor which app runs; called before any of its plugins is.
  package func setIdentity(_ identity: SessionIdentity) { names.write(identity) }

  /// Tells the supervisor that the user has ended the suspension of a plugin, whose earlier crashes
  /// do not count any more.
  package func didRetry(_ plugin: String) { names.addRetried(plugin) }

  /// Tells the supervisor that the app's first screen has been shown.
  ///
  /// - Returns: the time since ``start``, in nanoseconds.
  @discardableResult
  package func didShowFirstScreen() -> Int {
    SharedCrashPage.current?.stage = .running
    return MonotonicTime.now() - start
  }
}
