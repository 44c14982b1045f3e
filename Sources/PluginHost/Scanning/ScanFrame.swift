/// A message of the scanning process.
///
/// Its encoding is one byte for the kind, four bytes for the length of the payload, little-endian,
/// and the payload: the plugin's number in the order of the requests, unless the message is a
/// hello, then the values of the kind.
enum ScanFrame: Equatable {
  /// The process has started; its answers have this format.
  case hello(form: String)
  /// A step with a plugin begins.
  case step(UInt64, ScanStep)
  /// The plugin's encoded description of itself.
  case answer(UInt64, [UInt8])
  /// The dynamic loader can't load the plugin.
  case notLoaded(UInt64, LoaderRefusal)
  /// The plugin's description of itself is refused, with this message.
  case refused(UInt64, String)

  /// The size of the largest payload, in bytes; a larger one is an error.
  static let sizeLimit = 16 << 20

  var bytes: [UInt8] {
    var writer = ByteWriter()
    let kind: UInt8
    switch self {
    case .hello(let form):
      kind = 0
      writer.string(form)
    case .step(let plugin, let step):
      kind = 1
      writer.number(plugin)
      writer.byte(step.rawValue)
    case .answer(let plugin, let bytes):
      kind = 2
      writer.number(plugin)
      writer.data(bytes)
    case .notLoaded(let plugin, .notOpened(let library, let text)):
      kind = 3
      writer.number(plugin)
      writer.count((library ?? -1) + 1)
      writer.string(text)
    case .notLoaded(let plugin, .noEntry):
      kind = 4
      writer.number(plugin)
    case .notLoaded(let plugin, .mappedOther(let path)):
      kind = 6
      writer.number(plugin)
      writer.string(path)
    case .refused(let plugin, let text):
      kind = 5
      writer.number(plugin)
      writer.string(text)
    }
    return Self.framed(kind, writer.bytes)
  }

  static func framed(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var frame = [kind]
    let length = UInt32(payload.count)
    for shift in [0, 8, 16, 24] as [UInt32] {
      frame.append(UInt8(truncatingIfNeeded: length >> shift))
    }
    return frame + payload
  }

  /// Removes the first frame from `bytes`.
  ///
  /// - Returns: the frame's kind and payload; `nil` if the frame is not complete yet.
  /// - Throws: ``Malformed`` if the bytes can't be a frame.
  static func take(
    from bytes: inout ArraySlice<UInt8>
  ) throws(Malformed) -> (kind: UInt8, payload: ArraySlice<UInt8>)? {
    guard bytes.count >= 5 else { return nil }
    let start = bytes.startIndex
    var length = 0
    for index in 0..<4 { length |= Int(bytes[start + 1 + index]) << (8 * index) }
    guard length <= sizeLimit else { throw Malformed(reason: "a frame of \(length) bytes") }
    guard bytes.count >= 5 + length else { return nil }
    defer { bytes = bytes[(start + 5 + length)...] }
    return (bytes[start], bytes[(start + 5)..<(start + 5 + length)])
  }

  struct Malformed: Error {
    let reason: String
  }

  /// Decodes a frame.
  init(kind: UInt8, payload: ArraySlice<UInt8>) throws(Malformed) {
    guard let frame = Self.read(kind, ByteReader(payload)) else {
      throw Malformed(reason: "a frame of kind \(kind) with \(payload.count) bytes")
    }
    self = frame
  }

  private static func read(_ kind: UInt8, _ reader: ByteReader) -> ScanFrame? {
    var reader = reader
    if kind == 0 { return reader.string().map { .hello(form: $0) } }
    guard let plugin = reader.number() else { return nil }
    switch kind {
    case 1: return reader.byte().flatMap(ScanStep.init).map { .step(plugin, $0) }
    case 2: return reader.data().map { .answer(plugin, Array($0)) }
    case 3:
      guard let library = reader.count(), let text = reader.string() else { return nil }
      return .notLoaded(
        plugin, .notOpened(library: library == 0 ? nil : library - 1, text: text))
    case 4: return .notLoaded(plugin, .noEntry)
    case 5: return reader.string().map { .refused(plugin, $0) }
    case 6: return reader.string().map { .notLoaded(plugin, .mappedOther(path: $0)) }
    default: return nil
    }
  }
}

/// A request to the scanning process: a plugin's copies, and its number.
struct ScanRequest {
  static let kind: UInt8 = 0x3f

  let number: UInt64
  let plugin: PreparedPlugin

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.number(number)
    writer.prepared(plugin)
    return ScanFrame.framed(Self.kind, writer.bytes)
  }

  init(number: UInt64, plugin: PreparedPlugin) {
    self.number = number
    self.plugin = plugin
  }

  init?(kind: UInt8, payload: ArraySlice<UInt8>) {
    var reader = ByteReader(payload)
    guard kind == Self.kind, let number = reader.number(), let plugin = reader.prepared() else {
      return nil
    }
    self.init(number: number, plugin: plugin)
  }
}

/// The steps of the scanning process with a plugin, in this order.
public enum ScanStep: UInt8, Hashable, Sendable, CaseIterable {
  /// The plugin is loaded: its initializers run.
  case load = 1
  /// Its entry is called, and its features describe what they take and what they send.
  case ask = 2
}
