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
    guard let status = Descriptor.status(channel), status.isFIFO,
      fcntl(channel, F_SETFD, FD_CLOEXEC) == 0, let request = try? WholeFile.read(0),
      case var reader = ByteReader(request), let host = reader.number(),
      let plugin = reader.prepared()
    else { return 64 }
    ScanConfinement.begin(host: pid_t(clamping: host), channel: channel)
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

/// What a scanning process sends: that it has started, the steps that it begins, and one result.
///
/// Before a description may come its outline, which is the result if the process fails after it.
///
/// It begins with a line, `appcore-scan FORM`, so that a program that does not scan is noticed at
/// once. A message is its kind in a byte, and its values.
enum ScanMessage: Equatable {
  /// The plugin is loaded: its initializers run.
  case loading
  /// Its entry is called, and its features describe what they take and what they send.
  case asking
  /// The plugin's encoded description of itself as far as it is needed to load it, and the memory
  /// that was in use then, in bytes; 0 if that is not known.
  case outline([UInt8], memory: UInt64)
  /// The plugin's encoded description of itself.
  case description([UInt8])
  /// The loader can't load the plugin, or its description of itself is refused.
  case rejected(Rejection)

  static let head = "appcore-scan "
  /// The most that is read of a process, in bytes.
  static let sizeLimit = 16 << 20

  var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .loading: writer.byte(1)
    case .asking: writer.byte(2)
    case .description(let bytes):
      writer.byte(3)
      writer.data(bytes)
    case .rejected(let rejection):
      writer.byte(4)
      writer.rejection(rejection)
    case .outline(let bytes, let memory):
      writer.byte(5)
      writer.number(memory)
      writer.data(bytes)
    }
    return writer.bytes
  }

  /// Reads a message; `nil` if it is not complete.
  ///
  /// - Throws: if there is no such message.
  static func next(from reader: inout ByteReader) throws(Rejection) -> ScanMessage? {
    guard let kind = reader.byte() else { return nil }
    switch kind {
    case 1: return .loading
    case 2: return .asking
    case 3: return reader.data().map { .description(Array($0)) }
    case 4: return reader.rejection().map { .rejected($0) }
    case 5:
      guard let memory = reader.number(), let bytes = reader.data() else { return nil }
      return .outline(Array(bytes), memory: memory)
    default: throw .scanOutput("a message of kind \(kind)")
    }
  }
}

extension ByteWriter {
  /// Writes why a plugin is refused.
  mutating func rejection(_ rejection: Rejection) {
    string(rejection.code)
    string(rejection.message)
    list(rejection.details) { $0.string($1) }
    string(rejection.remedy)
  }
}

extension ByteReader {
  mutating func rejection() -> Rejection? {
    guard let code = string(), let message = string(), let details = list({ $0.string() }),
      let remedy = string(), let rule = Rule.pluginRules.first(where: { $0.code == code })
    else { return nil }
    return Rejection(rule, message, details: details, remedy: remedy)
  }
}
