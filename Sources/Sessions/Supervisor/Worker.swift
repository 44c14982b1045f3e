internal import Navigation
internal import Support

/// A process that runs the app for a supervisor, and what it gets from it.
package struct Worker: Sendable {
  /// The worker that this process is; `nil` where it has no supervisor.
  ///
  /// Set once, before there are threads.
  package nonisolated(unsafe) internal(set) static var current: Worker?

  /// How the workers before it have ended, the latest last.
  package let ends: [WorkerEnd]
  /// When it was forked, in nanoseconds.
  package let start: Int
  /// The files with the image.
  let files: (ImageFile, ImageFile)
  /// The file that says which app runs.
  let names: IdentityFile
  /// What was read of a script's input; `nil` where a person types.
  package let input: InputSpool?

  /// The image of the app that ran before, and a writer that keeps it up to date from now on.
  ///
  /// - Parameter saved: the image where no app ran before: it is kept at once, so that an app that
  ///   crashes while it is resumed is restored like any other.
  /// - Returns: the image, and the writer.
  package func openImage(
    orKeeping saved: SessionImage? = nil
  ) -> (image: SessionImage?, writer: ImageWriter) {
    var found = Self.newest(of: files)
    if found == nil, let saved {
      ImageWriter(files: files, after: 0).write(saved.whole)
      found = Self.newest(of: files)
    }
    return (
      found?.content.image,
      ImageWriter(files: files, after: found?.content.number ?? 0, current: found?.file ?? 0)
    )
  }

  /// The newer image of two files, and which of them it is in; each is read once.
  private static func newest(
    of files: (ImageFile, ImageFile)
  ) -> (content: ImageReader.Content, file: Int)? {
    [files.0, files.1].enumerated()
      .compactMap { index, file in (try? ImageReader.read(file.contents())).map { ($0, index) } }
      .max { $0.0.number < $1.0.number }
  }

  /// Notes which app runs, before any of its plugins is called.
  package func note(_ identity: SessionIdentity) { names.write(identity) }

  /// Says that the app's first screen has been shown.
  ///
  /// - Returns: how long that took since the worker was forked, in nanoseconds.
  @discardableResult
  package func isShown() -> Int {
    WorkerPage.current?.stage = .running
    return MonotonicTime.now() - start
  }
}
