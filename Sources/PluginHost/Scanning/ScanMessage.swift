/// What a scanning process sends: that it has started, the steps that it begins, and one result.
///
/// Before a description may come its outline, which is the result if the process fails after it.
///
/// It begins with a line, `appcore-scan FORM`, so that a program that does not scan is noticed at
/// once. A step is one byte; a result is its kind in a byte, and its values.
enum ScanMessage: Equatable {
  case step(ScanStep)
  /// The plugin's encoded description of itself as far as it is needed to load it, and the memory
  /// that was in use then, in bytes; 0 if that is not known.
  case outline([UInt8], memory: UInt64)
  /// The plugin's encoded description of itself.
  case description([UInt8])
  /// The plugin's description of itself is refused, with this message.
  case refused(String)
  /// The dynamic loader can't load the plugin.
  case notLoaded(LoaderRefusal)

  static let head = "appcore-scan "
  /// The most that is read of a process, in bytes.
  static let sizeLimit = 16 << 20

  var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .step(let step): writer.byte(step.rawValue)
    case .description(let bytes):
      writer.byte(3)
      writer.data(bytes)
    case .refused(let text):
      writer.byte(4)
      writer.string(text)
    case .notLoaded(.notOpened(let library, let text)):
      writer.byte(5)
      writer.number(UInt64((library ?? -1) + 1))
      writer.string(text)
    case .notLoaded(.noEntry): writer.byte(6)
    case .notLoaded(.mappedOther(let path)):
      writer.byte(7)
      writer.string(path)
    case .outline(let bytes, let memory):
      writer.byte(8)
      writer.number(memory)
      writer.data(bytes)
    }
    return writer.bytes
  }

  /// Reads a message; `nil` if it is not complete.
  ///
  /// - Throws: if there is no such message.
  static func next(from reader: inout ByteReader) throws(Unknown) -> ScanMessage? {
    guard let kind = reader.byte() else { return nil }
    switch kind {
    case 1, 2: return ScanStep(rawValue: kind).map { .step($0) }
    case 3: return reader.data().map { .description(Array($0)) }
    case 4: return reader.string().map { .refused($0) }
    case 5:
      guard let library = reader.number(), let text = reader.string() else { return nil }
      return .notLoaded(
        .notOpened(library: library == 0 ? nil : Int(clamping: library) - 1, text: text))
    case 6: return .notLoaded(.noEntry)
    case 7: return reader.string().map { .notLoaded(.mappedOther(path: $0)) }
    case 8:
      guard let memory = reader.number(), let bytes = reader.data() else { return nil }
      return .outline(Array(bytes), memory: memory)
    default: throw Unknown(kind: kind)
    }
  }

  struct Unknown: Error {
    let kind: UInt8
  }
}

/// The steps of a scan, in this order.
enum ScanStep: UInt8, Hashable, Sendable {
  /// The plugin is loaded: its initializers run.
  case load = 1
  /// Its entry is called, and its features describe what they take and what they send.
  case ask = 2

  var words: String {
    switch self {
    case .load: "while it was loaded"
    case .ask: "while it was asked for its features"
    }
  }
}
