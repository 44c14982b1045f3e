internal import ArgumentParser
internal import Supervision

/// The options of `appcore run` about the socket at which the app can be viewed.
struct SocketOptions: ParsableArguments {
  @Option(
    name: .customLong("socket"),
    help: ArgumentHelp(
      "Listen at a Unix socket, for 'appcore attach' and 'status'.", valueName: "path"),
    completion: .file())
  var path: String?

  @Flag(name: .customLong("socket-control"), help: "Let 'appcore attach --control' send lines.")
  var takesLines = false

  func validate() throws {
    if takesLines, path == nil {
      throw ValidationError("'--socket-control' goes with '--socket'.")
    }
    try checkPath(path, of: "--socket")
  }

  /// Opens the app's socket; `nil` if it has none.
  ///
  /// - Throws: ``CommandError`` with exit status 73 if it can't be opened.
  func open() throws -> SocketServer? {
    guard let path else { return nil }
    do throws(SocketError) {
      return try SocketServer(path: path, takesLines: takesLines)
    } catch {
      throw CommandError("can't listen at '\(path)': \(error)", exitStatus: 73)
    }
  }
}
