internal import Diagnostics
internal import Glibc

/// The work of the scanning process: it loads one plugin after the other and sends what each says of
/// itself, until nobody asks any more, or a plugin ends it.
///
/// It speaks through a descriptor of its own, so that what plugins print does not mix with it.
public enum ScanServer {
  /// Serves the process that started this one.
  ///
  /// - Parameters:
  ///   - form: the form of what `describe` returns; a host of another form does not read it.
  ///   - describe: what a loaded plugin says of itself; what it throws is why it is refused.
  /// - Returns: the status to end with: 0, or 64 where nobody asks.
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
      // Not by `exit`: what plugins left to be done at the end is nobody's concern.
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
      // The host says it in its own words: the plugin ran, and nothing went wrong but this.
      return send(.refused(number, error.message), to: channel)
    }
  }

  private static func send(_ frame: ScanFrame, to channel: Int32) -> Bool {
    let bytes = frame.bytes
    var position = 0
    while position < bytes.count {
      let count = bytes[position...].withUnsafeBytes { part in
        // No signal where the host is gone.
        Glibc.send(channel, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      position += count
    }
    return true
  }
}
