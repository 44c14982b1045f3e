@_spi(Host) internal import AppCore
internal import Glibc
internal import Supervision
internal import Support

/// The connection of a command to the socket of a running app.
struct SocketClient {
  private let path: String
  let connection: SocketConnection

  /// Connects, and says what for: `status`, `attach` or `control`.
  ///
  /// - Throws: ``CommandError`` with exit status 66 if nobody listens at the path.
  init(_ path: String, for request: String) throws {
    self.path = path
    do throws(SocketError) {
      connection = SocketConnection(try SocketPath(path).connect(), lineLimit: 64 << 20)
    } catch {
      throw CommandError("can't connect to '\(path)': \(error)", exitStatus: 66)
    }
    connection.send(request)
  }

  /// Waits until something has arrived, or `other` can be read.
  ///
  /// The `timeout` is in milliseconds; without one it waits for as long as it takes.
  ///
  /// - Returns: the objects that have arrived, and whether `other` can be read.
  /// - Throws: ``CommandError`` with exit status 65 if the app refuses what is wanted, and 74 if it has
  ///   gone, or nothing arrives in time.
  func next(
    or other: Int32 = -1, within timeout: Int32 = -1
  ) throws -> (objects: [Value], isOtherReady: Bool) {
    var entries = [connection.pollEntry, pollfd(fd: other, events: Int16(POLLIN), revents: 0)]
    if Descriptor.uninterrupted({ poll(&entries, 2, timeout) }) == 0, timeout > 0 {
      throw CommandError("the app at '\(path)' does not answer; it may be stopped", exitStatus: 74)
    }
    connection.flush()
    guard entries[0].revents != 0 else { return ([], entries[1].revents != 0) }
    let objects = connection.receive().compactMap { try? JSONReader.value($0) }
    if let reason = objects.last?["refused"]?.text {
      throw CommandError("the app at '\(path)' refuses: \(reason)", exitStatus: 65)
    }
    guard connection.isOpen || !objects.isEmpty else {
      throw CommandError(
        "the app at '\(path)' has closed the connection: it was killed, or read from too slowly",
        exitStatus: 74)
    }
    return (objects, entries[1].revents != 0)
  }
}
