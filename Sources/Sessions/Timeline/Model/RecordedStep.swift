@_spi(Host) package import AppCore
package import Navigation
internal import Support

/// A step of a timeline: an action that the root store has reduced, with what it changed.
package struct RecordedStep: Hashable, Sendable {
  /// A line of input that led to a step.
  package struct Line: Hashable, Sendable {
    /// The line as it was typed, without secrets.
    package var text: String
    /// Its number in a script, counted from 1; `nil` for a line that a person typed.
    package var number: Int?
    /// The equivalent lines of a script; `nil` if none can be written, as for a secret.
    package var script: [String]?

    package init(_ text: String, number: Int? = nil, script: [String]? = nil) {
      self.text = text
      self.number = number
      self.script = script
    }

    /// The lines to write in a script; a comment if there are none that repeat the line.
    package var scriptLines: [String] {
      script ?? ["# write here what was typed, which is not recorded: \(text)"]
    }
  }

  /// Its number, counted from 1.
  package var number: Int
  /// When it began, in microseconds since the app began.
  package var time: Int
  /// How long its reduction took, including the navigation that it caused, in nanoseconds.
  package var duration: Int
  /// The lines that were typed since the previous step; the last one led to this step.
  package var lines: [Line] = []
  package var origin: ActionOrigin
  /// The node of the action's instance; `nil` for an action of the app.
  package var node: String?
  /// The action's instance; `nil` for an action of the app.
  package var instance: InstanceID?
  package var text: String
  /// The action in structural form; `nil` if it has none.
  package var action: Value?
  /// Whether the action contained a secret, which is left out.
  package var hasSecret = false
  /// The dates, unique ids and random numbers that its reducer read.
  package var readings: [DependencyTape.Reading] = []
  /// Whether shared values have changed outside of reducers since the previous step, such as by an
  /// effect or in a file.
  package var sharedStateChanged = false
  /// A digest of the new and changed instances, of the numbers of the removed ones, and of the
  /// waiting link.
  package var digest: UInt64 = 0
  package var change = StateChange()
  /// How many steps before it were dropped because they came faster than they could be encoded.
  package var skipped = 0
  /// The app's manifest and plugins from this step on; `nil` if they have not changed.
  package var build: RecordingHeader?
  /// Whether its line was edited after it was written, according to the line's checksum.
  package var isAltered = false

  package init(
    number: Int, time: Int = 0, duration: Int = 0, origin: ActionOrigin, node: String? = nil,
    instance: InstanceID? = nil, text: String, action: Value? = nil
  ) {
    self.number = number
    self.time = time
    self.duration = duration
    self.origin = origin
    self.node = node
    self.instance = instance
    self.text = text
    self.action = action
  }

  /// The lines to type to repeat the step: without the last one if it navigated and nothing changed,
  /// because it may have been refused, as `:back` is in the root.
  package var repeatableLines: [Line] {
    origin == .navigation && change.isEmpty ? lines.dropLast() : lines
  }

  /// The line that led to the step; `nil` if no line was typed since the previous one.
  package var line: Line? { lines.last }

  /// The node and the instance of the action, as in `list #3.0`; empty for an action of the app.
  package var owner: String { node.map { "\($0) #\(instance.map { "\($0)" } ?? "")" } ?? "" }
}

// The form in a recording; docs/timeline.md says what each field means.
extension RecordedStep {
  /// The fields that a line's checksum does not cover: texts for people, times and the checksum.
  private static let unsealed: Set<String> = ["l", "x", "t", "d", "s"]

  /// The fields with their checksum.
  var fields: [String: Value] {
    var fields = change.fields
    fields["n"] = .int(number)
    fields["t"] = .int(time)
    fields["d"] = .int(duration)
    fields["o"] = .string(String(origin.rawValue.prefix(1)))
    fields["x"] = .string(text)
    fields["h"] = .string(String(digest, radix: 36))
    fields["i"] = instance?.value
    fields["m"] = node.map { .string($0) }
    fields["a"] = action?.stored
    fields["b"] = build.map { Value(coding: $0) }
    if !lines.isEmpty { fields["l"] = .array(lines.map(\.value)) }
    if !readings.isEmpty { fields["r"] = .array(readings.map(\.value)) }
    if hasSecret { fields["secret"] = true }
    if sharedStateChanged { fields["shared"] = true }
    if skipped > 0 { fields["skipped"] = .int(skipped) }
    fields["s"] = .string(String(Self.seal(of: fields), radix: 36))
    return fields
  }

  init(_ fields: [String: Value]) throws(Rejection) {
    number = try fields.number("n")
    time = try fields.number("t")
    duration = try fields.number("d")
    origin = try fields.required("o", "one of s, e, d, r, n and c") { field -> ActionOrigin? in
      let origins = ActionOrigin.allCases.filter { $0 != .line }
      return field.text.flatMap { letter in origins.first { $0.rawValue.prefix(1) == letter } }
    }
    text = try fields.required("x", "a text") { $0.text }
    digest = try fields.required("h", "a digest") { $0.text.flatMap { UInt64($0, radix: 36) } }
    instance = try fields.optional("i", "an instance", or: nil) { $0.instance.map { .some($0) } }
    node = fields["m"]?.text
    action = fields["a"].map { Value(stored: $0) }
    build = try fields.optional("b", "what the app was made of", or: nil) {
      $0.decoded(RecordingHeader.self).map { .some($0) }
    }
    lines = try fields.optional("l", "a list of lines", or: []) { $0.list(Line.init) }
    readings = try fields.optional("r", "a list of what was read", or: []) {
      $0.list(DependencyTape.Reading.init)
    }
    hasSecret = fields["secret"] == true
    sharedStateChanged = fields["shared"] == true
    skipped = fields["skipped"] == nil ? 0 : try fields.number("skipped")
    change = try StateChange(fields)
    if let seal = fields["s"]?.text.flatMap({ UInt64($0, radix: 36) }) {
      isAltered = seal != Self.seal(of: fields)
    }
  }

  private static func seal(of fields: [String: Value]) -> UInt64 {
    StateDigest.digest(fields, without: unsealed)
  }
}

extension RecordedStep.Line {
  fileprivate var value: Value {
    var fields: [String: Value] = ["x": .string(text)]
    fields["n"] = number.map { .int($0) }
    if script != [text] { fields["s"] = script.map { .array($0.map { .string($0) }) } ?? .null }
    return .object(fields)
  }

  fileprivate init?(_ value: Value) {
    guard let text = value["x"]?.text else { return nil }
    self.init(text, script: [text])
    if case .int(let number)? = value["n"] { self.number = number }
    if let script = value["s"] { self.script = script.list(\.text) }
  }
}

extension DependencyTape.Reading {
  /// A date as seconds and nanoseconds since 1970, an id as its text, a random number as a signed
  /// integer with the same bits.
  fileprivate var value: Value {
    switch self {
    case .date(let instant):
      let (seconds, attoseconds) = instant.sinceEpoch.components
      return .array([.int(Int(seconds)), .int(Int(attoseconds / 1_000_000_000))])
    case .uuid(let id): return .string(id.description)
    case .random(let number): return .int(Int(bitPattern: UInt(number)))
    }
  }

  fileprivate init?(_ value: Value) {
    switch value {
    case .array(let parts):
      guard parts.count == 2, case .int(let seconds) = parts[0],
        case .int(let nanoseconds) = parts[1], (-(1 << 40)..<1 << 40).contains(seconds),
        (-999_999_999...999_999_999).contains(nanoseconds)
      else { return nil }
      self = .date(Instant(sinceEpoch: .seconds(seconds) + .nanoseconds(nanoseconds)))
    case .string(let text):
      guard let id = UniqueID(text) else { return nil }
      self = .uuid(id)
    case .int(let number): self = .random(UInt64(UInt(bitPattern: number)))
    default: return nil
    }
  }
}

/// The header of a recording: the app that ran, with its manifest and plugins.
///
/// Its JSON is the first line; docs/timeline.md says what each field means.
package struct RecordingHeader: Hashable, Sendable, Codable {
  /// The number of the format that this version writes, and the only one that it reads.
  package static let currentFormat = 1

  package struct Manifest: Hashable, Sendable, Codable {
    package var path: String
    package var digest: String
    /// The text before variables are substituted; empty if the manifest contains secrets.
    package var text: String

    package init(path: String, digest: String, text: String) {
      self.path = path
      self.digest = digest
      self.text = text
    }
  }

  package var format = RecordingHeader.currentFormat
  /// The version of appcore and its SDK.
  package var version = SDK.version
  package var compiler = SDK.compilerVersion
  package var app: String
  package var manifest: Manifest
  package var plugins: [SessionIdentity.Plugin]
  /// The values of the manifest's variables that are not part of a secret.
  package var variables: [String: String]
  /// The nodes of the graph and their features, in the order of the graph.
  package var nodes: [SessionIdentity.Node]
  /// The plugins whose configurations contain secrets, which are not in the recording.
  package var secretPlugins: [String]
  /// When the app began, in seconds since 1970.
  package var begun: Int

  private enum CodingKeys: String, CodingKey {
    case format = "recording"
    case version, compiler, app, manifest, plugins, variables, nodes
    case secretPlugins = "secrets"
    case begun
  }

  package init(
    app: String, manifest: Manifest, plugins: [SessionIdentity.Plugin],
    variables: [String: String], nodes: [SessionIdentity.Node], secretPlugins: [String] = [],
    begun: Int
  ) {
    self.app = app
    self.manifest = manifest
    self.plugins = plugins
    self.variables = variables
    self.nodes = nodes
    self.secretPlugins = secretPlugins
    self.begun = begun
  }

  /// Reads the first line of a recording.
  ///
  /// - Throws: why it is not a header of this format.
  init(_ line: [UInt8]) throws(Rejection) {
    let value = try? JSONReader.value(line, depthLimit: 512)
    guard case .int(let format)? = value?["recording"] else {
      throw Rejection(.notARecording, "the first line is not the header of a recording")
    }
    guard format == Self.currentFormat else {
      throw Rejection(
        .newerRecording,
        "the recording has format \(format), and this version of appcore reads format "
          + "\(Self.currentFormat)")
    }
    do {
      self = try ValueDecoder().decode(Self.self, from: value ?? .null)
    } catch {
      throw Rejection(
        .damagedHeader, "the header can't be used: \(describe(error))")
    }
  }

  /// The first line of a recording, without its newline.
  package var text: String { Value(coding: self).json }

  /// The identity of the app, as a session's image contains it.
  package var identity: SessionIdentity {
    SessionIdentity(app: app, manifest: manifest.path, plugins: plugins, nodes: nodes)
  }
}

/// A crash of an app's process, with the code that caused it as far as it is known.
package struct RecordedCrash: Hashable, Sendable {
  /// The known facts, by name; unknown ones are left out.
  ///
  /// The names are `plugin`, `feature`, `node`, `instance`, `call`, `action`, `place`, `cause` and
  /// `lines`, which are the lines of a script that led to the crash.
  package var fields: [String: String]

  package init(fields: [String: String]) { self.fields = fields.filter { !$0.value.isEmpty } }

  package var scriptLines: [String] {
    fields["lines"]?.split(separator: "\n").map(String.init) ?? []
  }

  /// The crash in one line, to follow "the app was".
  package var text: String {
    let cause = fields["cause"] ?? "a crash"
    guard let culprit = fields["feature"] ?? fields["plugin"] else {
      return "ended by \(cause); nobody is known to have caused it"
    }
    let call = fields["call"].map { " in \($0)" } ?? ""
    let node = fields["node"].map { " of '\($0)'" } ?? ""
    let action = fields["action"].map { ", at the action \($0)" } ?? ""
    return "ended by '\(culprit)'\(call)\(node): \(cause)\(action)"
  }
}
