@_spi(Host) internal import AppCore
internal import Navigation
internal import PluginHost
package import Sessions
internal import Support

/// A report of a crash, a hang or a refused update, as it is kept in a file.
///
/// It has nothing that people have typed, and no values of an app: of an action it has the cases, of
/// a line the control or the command.
package struct CrashFile: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable {
    case crash, hang
    /// A changed plugin or manifest was refused, and the app continued with the former one.
    case refusedUpdate = "refused-update"
  }

  /// What has become of the app.
  package enum Outcome: String, Sendable, Codable {
    case restored
    /// An earlier screen was restored, since the latest state could not be written.
    case restoredEarlier = "restored-earlier-screen"
    /// It was restored, and the plugin or the instance is not called any more.
    case suspended
    case continued
    case ended
  }

  package struct Plugin: Hashable, Sendable, Codable {
    package let name: String
    package var version: String?
    /// The SHA-256 digest of its file, as a lock has it.
    package var digest: String?
    /// The identifier that the linker has given its build, in hexadecimal digits.
    package var buildID: String?
  }

  /// A call on the stack: an offset in a file, counted from where that was loaded.
  package struct Frame: Hashable, Sendable, Codable {
    package let module: String
    /// In hexadecimal digits, with `0x`.
    package let offset: String
    /// The mangled name of the nearest exported function; `nil` in plugins.
    package var function: String?

    package var place: String { "\(module)+\(offset)" }

    /// Reads a line of ``CrashReport/calls``.
    init?(_ line: some StringProtocol) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard let place = parts.first, let plus = place.lastIndex(of: "+") else { return nil }
      module = String(place[..<plus])
      offset = String(place[place.index(after: plus)...])
      function = parts.dropFirst().first.map { String($0) }
    }
  }

  package static let currentFormat = 1

  package private(set) var format = currentFormat
  package private(set) var kind: Kind
  /// The time in UTC, such as `2026-03-01T08:30:00Z`.
  package private(set) var time: String
  package private(set) var outcome: Outcome
  /// Why the plugin or the instance was suspended.
  package private(set) var suspension: String?
  /// The version of appcore.
  package private(set) var appcore = SDK.version
  package private(set) var app: String?
  package private(set) var version: String?
  /// The SHA-256 digest of the app's lock, which tells one bundle from another.
  package private(set) var lock: String?
  package private(set) var plugin: Plugin?
  package private(set) var feature: String?
  package private(set) var node: String?
  package private(set) var instance: String?
  /// The called method, such as `screen(_:)`.
  package private(set) var call: String?
  /// The case of the action, without its values.
  package private(set) var action: String?
  /// The signal, or another reason; of a refused update the code.
  package private(set) var cause: String
  /// How long the app had not responded, in seconds; `nil` for anything but a hang.
  package private(set) var hang: String?
  /// The innermost call in the plugin's file.
  package private(set) var place: Frame?
  /// The calls, the innermost first.
  package private(set) var calls: [Frame] = []
  /// The latest lines, actions and steps, the last of which may have led to it.
  package private(set) var log: [String] = []

  /// Creates a report about code that has ended its process.
  init(_ report: CrashReport, in identity: SessionIdentity?, outcome: Outcome, log: [String]) {
    self.init(report.isHang ? .hang : .crash, outcome, cause: report.cause, in: identity)
    func given(_ text: String) -> String? { text.isEmpty ? nil : text }
    plugin = given(report.plugin).map { Self.plugin($0, in: identity) }
    feature = given(report.feature)
    node = given(report.node)
    instance = given(report.instance)
    call = given(report.call)
    action = given(report.actionCase)
    hang = given(report.hang)
    place = Frame(report.place)
    // The last line may be cut off.
    let known = report.calls.utf8.prefix(CrashReport.callsLimit)
    let isCut = known.count == CrashReport.callsLimit
    calls = String(decoding: known, as: UTF8.self).split(separator: "\n").dropLast(isCut ? 1 : 0)
      .compactMap { Frame($0) }
    self.log = log
  }

  /// Creates a report about the crash of a worker, the last of `ends`; `hasEnded` says that no other
  /// worker follows.
  init(after ends: [WorkerCrash], _ last: WorkerCrash, hasEnded: Bool) {
    let policy = RestartPolicy(after: ends, digests: last.identity?.digests ?? [:])
    let suspension = policy.suspension(after: last)
    let outcome: Outcome =
      hasEnded || policy.givesUp
      ? .ended
      : suspension != nil ? .suspended : last.hasLostState ? .restoredEarlier : .restored
    self.init(last.report, in: last.identity, outcome: outcome, log: last.log)
    if outcome == .suspended { self.suspension = suspension }
  }

  /// Creates a report about a refused update, of a plugin or of the manifest if it is `nil`.
  package init(refused code: String, plugin: String?, in identity: SessionIdentity) {
    self.init(.refusedUpdate, .continued, cause: code, in: identity)
    self.plugin = plugin.map { Self.plugin($0, in: identity) }
  }

  private init(_ kind: Kind, _ outcome: Outcome, cause: String, in identity: SessionIdentity?) {
    time = "\(Instant(secondsSinceEpoch: Int(FileClock.now() / 1_000_000_000)))"
    (self.kind, self.outcome, self.cause) = (kind, outcome, cause)
    app = identity?.app
    (version, lock) = (identity?.version, identity?.lock)
  }

  /// What is known of a plugin: its file is read only for a digest that nobody has asked for before.
  package static func plugin(_ name: String, in identity: SessionIdentity?) -> Plugin {
    var plugin = Plugin(name: name)
    guard let known = identity?.plugin(name) else { return plugin }
    (plugin.version, plugin.buildID) = (known.version, known.buildID)
    plugin.digest =
      known.fileDigest
      ?? known.file.flatMap { try? SharedObject(path: $0) }.map { "\(SHA256($0.bytes))" }
    return plugin
  }
}

// The form in a file.
extension CrashFile {
  package var json: String { Value(coding: self).json }

  /// The same, on several lines.
  var bytes: [UInt8] { Array(Value(coding: self).readableJSON.utf8) }

  /// Reads the bytes of a file.
  ///
  /// - Throws: why they are not a report that this version can read.
  init(_ bytes: [UInt8]) throws(CrashFileError) {
    guard let value = try? JSONReader.value(bytes) else { throw CrashFileError("it is damaged") }
    if case .object(let fields) = value, case .int(let format)? = fields["format"],
      format > Self.currentFormat
    {
      throw CrashFileError("it has format \(format), which a later appcore has written")
    }
    guard let file = value.decoded(CrashFile.self), file.format == Self.currentFormat else {
      throw CrashFileError("it is damaged")
    }
    self = file
  }
}

package struct CrashFileError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

// The report in words.
extension CrashFile {
  /// The calls, or at least the place.
  package var frames: [Frame] { calls.isEmpty ? place.map { [$0] } ?? [] : calls }

  /// The report in a line: what happened, where, why, and what has become of the app.
  package var summary: String {
    let outcome = outcome.rawValue.replacing("-", with: " ")
    guard kind != .refusedUpdate else {
      let subject = plugin.map { "plugin '\($0.name)'" } ?? "the manifest"
      return SafeText.line("an update of \(subject) was refused [\(cause)]; \(outcome)")
    }
    var report = CrashReport()
    report.plugin = plugin?.name ?? ""
    report.feature = feature ?? ""
    report.call = call ?? ""
    report.place = place?.place ?? ""
    report.cause = cause
    report.hang = hang ?? ""
    return report.summary + "; " + outcome
  }

  /// The details, a line each; `source` returns the lines of the source for a call.
  package func details(source: (Frame) -> [String] = { _ in [] }) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ text: String?) {
      if let text { lines.append("  \(name): \(text)") }
    }
    func joined(_ parts: String?...) -> String { parts.compactMap(\.self).joined(separator: " ") }
    add("time", time)
    add("app", joined(app ?? "unknown", version, "with appcore \(appcore)"))
    add("lock", lock)
    add("plugin", plugin.map { joined($0.name, $0.version) })
    add("digest", plugin?.digest)
    add("build", plugin?.buildID)
    add("node", node.map { joined("'\($0)'", instance.map { "#" + $0 }) })
    add("action", action)
    add("suspended", suspension)
    if !frames.isEmpty { lines.append("  calls, the innermost first:") }
    for call in frames {
      lines.append(
        "    " + joined(call.place, call.function.map { Demangler.readable($0) }))
      lines += source(call).map { "      " + $0 }
    }
    if !log.isEmpty { lines.append("  log, the latest last:") }
    lines += log.map { "    " + $0 }
    return lines.map { SafeText.line($0) }
  }
}
