internal import Glibc
internal import Support

/// The work of a scanning process: it loads one plugin, sends its description, and waits to be
/// ended.
///
/// It has a descriptor of its own for that, so that what it sends does not mix with what the plugin
/// prints.
public enum ScanServer {
  /// Serves the process that started this one.
  ///
  /// - Parameters:
  ///   - form: the version of the format that `describe` returns; a host that expects another one
  ///     does not use this process.
  ///   - describe: returns the encoded description of a loaded plugin; throws why it is refused. It
  ///     may first send an outline, which the host takes if the rest fails.
  /// - Returns: the status to exit with: 64 if the process was not started by a scanner, or 74 if
  ///   the channel fails.
  public static func run(
    form: String,
    describe: (OpenedPlugin, _ outline: ([UInt8]) -> Void) throws(PluginError) -> [UInt8]
  ) -> Int32 {
    let channel = PluginScan.channel
    var status = stat()
    guard fstat(channel, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
      fcntl(channel, F_SETFD, FD_CLOEXEC) == 0, let request = try? WholeFile.read(0),
      case var reader = ByteReader(request), let plugin = reader.prepared()
    else { return 64 }
    ScanConfinement.begin(channel: channel)
    do throws(SystemError) {
      try send(Array("\(ScanMessage.head)\(form)\n".utf8))
      try send(try message(of: plugin, describe).bytes)
    } catch {
      return 74
    }
    // The host looks at the memory that is in use, and then ends this process.
    while true { pause() }
  }

  private static func message(
    of plugin: PreparedPlugin,
    _ describe: (OpenedPlugin, ([UInt8]) -> Void) throws(PluginError) -> [UInt8]
  ) throws(SystemError) -> ScanMessage {
    try send(ScanMessage.loading.bytes)
    let opened: OpenedPlugin
    do throws(Rejection) {
      opened = try OpenedPlugin(opening: plugin) { MemoryGuard.surround(span: plugin.span) }
    } catch {
      return .rejected(error)
    }
    try send(ScanMessage.asking.bytes)
    do throws(PluginError) {
      return .description(
        try describe(opened) { outline in
          let memory = PluginScan.memoryUse(of: "self") ?? 0
          // If the channel fails, that of the description fails, too.
          try? send(ScanMessage.outline(outline, memory: memory).bytes)
        })
    } catch {
      // The message is enough: the plugin ran, and nothing else failed.
      return .rejected(.registration(error.message))
    }
  }

  private static func send(_ bytes: [UInt8]) throws(SystemError) {
    let error = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: PluginScan.channel) }
    if let error { throw error }
  }
}
