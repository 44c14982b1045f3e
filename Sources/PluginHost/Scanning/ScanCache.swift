internal import Glibc

/// What scans have found, kept in files from one start to the next.
///
/// The key is the content of the plugin and of what it brings along, the contract, and the form
/// of the answer. Not the file's times: to read and digest a plugin takes 11 µs, and a build
/// within one tick of the file system's clock would go unnoticed. An entry that can't be read is
/// no entry, and one that can't be written is left out: the cost is another scan.
public struct ScanCache: Sendable {
  enum Outcome: Equatable {
    case answer([UInt8])
    case quarantine(PluginProblem.Cause)
  }

  private let folder: String
  private let form: String

  /// Opens the cache in `appcore/scans` under `XDG_CACHE_HOME`, else under `~/.cache`; `nil` when
  /// there is no folder that is this user's alone.
  ///
  /// - Parameters:
  ///   - environment: the process's variables.
  ///   - form: the version of what the scanning process writes; entries of others are not used.
  public init?(environment: [String: String], form: String) {
    guard let base = PrivateFolder.cache(environment), PrivateFolder.prepare(base + "/scans")
    else { return nil }
    folder = base + "/scans"
    self.form = form
  }

  private func key(of plugin: JudgedPlugin) -> String {
    var parts = ["appcore-scan 1", form, plugin.contract.symbol, plugin.name]
    parts += ["\(plugin.file.identity.size)", "\(plugin.file.digest)"]
    parts += plugin.dependencies.items.map { "\($0.name) \($0.file.digest)" }
    return parts.map { $0.replacing("\n", with: " ") }.joined(separator: "\t")
  }

  private func path(of key: String) -> String {
    var key = key
    return "\(folder)/" + key.withUTF8 { "\(ContentDigest(UnsafeRawBufferPointer($0)))" }
  }

  func outcome(for plugin: JudgedPlugin) -> Outcome? {
    let key = key(of: plugin)
    let reader = FileReader(path: path(of: key), sizeLimit: 64 << 20)
    guard let (buffer, _) = try? reader.readAny() else { return nil }
    defer { buffer.deallocate() }
    // Three lines (key, kind, number), then the bytes of the answer or of the last words.
    let lines = buffer.split(separator: 0x0a, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].elementsEqual(key.utf8),
      let number = Int(String(decoding: lines[2], as: UTF8.self))
    else { return nil }
    let payload = Array(lines[3])
    // The number is the payload's size for an answer: half a file is no answer.
    switch String(decoding: lines[1], as: UTF8.self) {
    case "answer" where number == payload.count: return .answer(payload)
    case "signal":
      let tail = String(decoding: payload, as: UTF8.self)
      return .quarantine(.scanSignal(Int32(clamping: number), errorTail: tail))
    case "flood":
      let tail = String(decoding: payload, as: UTF8.self)
      return .quarantine(.scanFlood(limit: number, errorTail: tail))
    default: return nil
    }
  }

  /// Whether a failed scan says something of the plugin, and not of the machine at that time.
  static func isLasting(_ cause: PluginProblem.Cause) -> Bool {
    switch cause {
    case .scanFlood: true
    case .scanSignal(let signal, _):
      [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS].contains(signal)
    default: false
    }
  }

  func store(_ outcome: Outcome, for plugin: JudgedPlugin) {
    let key = key(of: plugin)
    let kind: String
    let payload: [UInt8]
    switch outcome {
    case .answer(let bytes): (kind, payload) = ("answer\n\(bytes.count)", bytes)
    case .quarantine(.scanSignal(let signal, let tail)):
      (kind, payload) = ("signal\n\(signal)", Array(tail.utf8))
    case .quarantine(.scanFlood(let limit, let tail)):
      (kind, payload) = ("flood\n\(limit)", Array(tail.utf8))
    case .quarantine: return
    }
    let bytes = Array("\(key)\n\(kind)\n".utf8) + payload
    bytes.withUnsafeBytes { bytes in
      _ = try? PrivateFolder.write(bytes, to: path(of: key), in: folder, mode: 0o600)
    }
    PrivateFolder.removeOldest(in: folder, keeping: Self.keptEntries)
  }

  /// How many entries are kept; the oldest go first.
  static let keptEntries = 256
}
