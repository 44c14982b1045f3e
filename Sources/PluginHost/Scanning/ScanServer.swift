internal import Glibc
internal import Support

/// The work of the scanning process: it loads one plugin after the other and sends its description,
/// until the host closes the channel, or a plugin ends the process.
///
/// It uses a descriptor of its own, so that its messages do not mix with what plugins print.
public enum ScanServer {
  /// Serves the process that started this one.
  ///
  /// - Parameters:
  ///   - form: the version of the format that `describe` returns; a host that expects another one
  ///     does not use this process.
  ///   - describe: returns the encoded description of a loaded plugin; throws why it is refused.
  /// - Returns: the status to exit with: 64 if the process was not started by a scanner, or 74 if
  ///   the channel fails. It does not return if the host closes the channel: the process exits with
  ///   0.
  public static func run(
    form: String, describe: (OpenedPlugin) throws(PluginError) -> [UInt8]
  ) -> Int32 {
    let channel = ChildProcess.channel
    var kind: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(channel, SOL_SOCKET, SO_TYPE, &kind, &size) == 0,
      fcntl(channel, F_SETFD, FD_CLOEXEC) == 0
    else { return 64 }
    ScanConfinement.begin(channel: channel)
    guard send(.hello(form: form), to: channel) else { return 74 }
    var memory = MemoryGuard()
    var inbox: ArraySlice<UInt8> = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(channel, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // Not `exit`: handlers that plugins have registered need not run.
      guard count > 0 else { _exit(0) }
      inbox += chunk[..<count]
      while let (kind, payload) = try? ScanFrame.take(from: &inbox) {
        guard let request = ScanRequest(kind: kind, payload: payload),
          answer(request, through: channel, &memory, describe)
        else { return 74 }
      }
    }
  }

  private static func answer(
    _ request: ScanRequest, through channel: Int32, _ memory: inout MemoryGuard,
    _ describe: (OpenedPlugin) throws(PluginError) -> [UInt8]
  ) -> Bool {
    let number = request.number
    guard send(.step(number, .load), to: channel) else { return false }
    let plugin: OpenedPlugin
    do throws(LoaderRefusal) {
      plugin = try OpenedPlugin(opening: request.plugin) {
        memory.makeRoom(for: request.plugin.span)
      }
    } catch {
      return send(.notLoaded(number, error), to: channel)
    }
    guard send(.step(number, .ask), to: channel) else { return false }
    do throws(PluginError) {
      return send(.answer(number, try describe(plugin)), to: channel)
    } catch {
      // The message is enough for the host's rejection: the plugin ran, and nothing else failed.
      return send(.refused(number, error.message), to: channel)
    }
  }

  private static func send(_ frame: ScanFrame, to channel: Int32) -> Bool {
    let bytes = frame.bytes
    var position = 0
    while position < bytes.count {
      let count = bytes[position...].withUnsafeBytes { part in
        // No signal if the host is gone.
        Glibc.send(channel, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      position += count
    }
    return true
  }
}
