@_spi(Host) internal import AppCore
internal import Support

/// A line of a recording after its header.
package enum RecordingLine: Hashable, Sendable {
  /// The whole app after a step; reading can begin here.
  case keyframe(step: Int, AppMoment)
  case step(RecordedStep)
  case end(RecordingEnd)

  /// The line as JSON, without its newline.
  package var text: String {
    switch self {
    case .keyframe(let step, let moment): Self.text(step, moment)
    case .step(let step): step.json.text
    case .end(.ended): #"{"end":true}"#
    case .end(.crashed(let crash)):
      Value.object(["crash": .object(crash.fields.mapValues { .string($0) })]).json
    }
  }

  /// The line of a step.
  ///
  /// - Returns: the text, and the offset in bytes of the fields that describe the step's changes.
  static func text(of step: RecordedStep) -> (text: String, changeOffset: Int) { step.json }

  private static func text(_ step: Int, _ moment: AppMoment) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.int(step, "k")
    if let link = moment.waitingLink { writer.string(link, "w") }
    if !moment.redacted.isEmpty { writer.raw(InstanceNumber.list(moment.redacted).json, "u") }
    writer.beginArray("c")
    for (_, instance) in moment.instances.sorted(by: { $0.key < $1.key }) {
      writer.raw(instance.recorded.json)
    }
    writer.endArray()
    writer.endObject()
    return writer.text
  }
}

extension RecordedStep {
  /// The fields that a line's checksum does not cover: texts for people, times and the checksum.
  static let unsealed: Set<String> = ["l", "x", "t", "d", "s"]

  fileprivate var json: (text: String, changeOffset: Int) {
    var writer = JSONWriter()
    var seal = StateDigest.FieldDigest()
    func add(_ name: StaticString, _ value: Value) {
      switch value {
      case .string(let text): writer.string(text, name)
      case .int(let number): writer.int(number, name)
      default: writer.raw(value.json, name)
      }
      seal.add(name, value)
    }
    writer.beginObject()
    add("n", .int(number))
    writer.int(time, "t")
    writer.int(duration, "d")
    if skipped > 0 { add("skipped", .int(skipped)) }
    writeLines(to: &writer)
    add("o", .string(origin.letter))
    if let instance { add("i", .string(InstanceNumber.text(instance))) }
    if let node { add("m", .string(node)) }
    writer.string(text, "x")
    if let action { add("a", action) }
    if let build { add("b", build.value) }
    if hasSecret { add("secret", true) }
    if sharesNews { add("shared", true) }
    if !readings.isEmpty { add("r", .array(readings.map(\.recorded))) }
    add("h", .string(String(digest, radix: 36)))
    // The fields begin after the comma.
    let changeOffset = writer.text.utf8.count + 1
    if !change.instances.isEmpty {
      let instances = change.instances.map(\.recorded)
      writer.beginArray("c")
      for instance in instances { instance.write(to: &writer) }
      writer.endArray()
      seal.add("c", .array(instances))
    }
    if !change.redacted.isEmpty { add("u", InstanceNumber.list(change.redacted)) }
    if !change.removed.isEmpty {
      add("g", .array(change.removed.map { .string(InstanceNumber.text($0)) }))
    }
    if let link = change.waitingLink { add("w", link.map { .string($0) } ?? .null) }
    writer.string(String(seal.digest, radix: 36), "s")
    writer.endObject()
    return (writer.text, changeOffset)
  }

  private func writeLines(to writer: inout JSONWriter) {
    guard !lines.isEmpty else { return }
    writer.beginArray("l")
    for line in lines {
      writer.beginObject()
      writer.string(line.text, "x")
      if let number = line.number { writer.int(number, "n") }
      if line.script != [line.text] {
        writer.raw(line.script.map { Value.array($0.map { .string($0) }).json } ?? "null", "s")
      }
      writer.endObject()
    }
    writer.endArray()
  }
}

extension Value {
  /// Writes an instance's change; if it has edits, with the instance's number first.
  fileprivate func write(to writer: inout JSONWriter) {
    guard let number = self["i"]?.text, let edits = self["d"] else { return writer.raw(json) }
    writer.beginObject()
    writer.string(number, "i")
    writer.raw(edits.json, "d")
    writer.endObject()
  }
}

extension StateChange.Instance {
  fileprivate var recorded: Value {
    switch self {
    case .whole(let instance): instance.recorded
    case .state(let id, let edits):
      .object(["i": .string(InstanceNumber.text(id)), "d": .array(edits.map(\.recorded))])
    }
  }
}

extension InstanceNumber {
  /// The numbers as a list of texts, in ascending order.
  static func list(_ numbers: Set<UInt64>) -> Value {
    .array(numbers.sorted().map { .string(text($0)) })
  }
}

extension RecordedStep.Origin {
  var letter: String {
    switch self {
    case .screen: "s"
    case .effect: "e"
    case .delegate: "d"
    case .route: "r"
    case .navigation: "n"
    case .component: "c"
    }
  }

  init?(letter: String) {
    guard
      let found = [Self.screen, .effect, .delegate, .route, .navigation, .component]
        .first(where: { $0.letter == letter })
    else { return nil }
    self = found
  }
}

extension DependencyTape.Reading {
  /// The reading in a recording: a date as seconds and nanoseconds since 1970, an id as its text, a
  /// random number as a signed integer with the same bits.
  var recorded: Value {
    switch self {
    case .date(let instant):
      let (seconds, attoseconds) = instant.sinceEpoch.components
      return .array([.int(Int(seconds)), .int(Int(attoseconds / 1_000_000_000))])
    case .uuid(let id): return .string(id.description)
    case .random(let number): return .int(Int(bitPattern: UInt(number)))
    }
  }

  init?(recorded: Value) {
    switch recorded {
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

extension ValueEdit {
  /// The maximum nesting of a state.
  private static let longestPath = 1000

  /// The edit in a recording: a list that begins with the path.
  ///
  /// Nothing follows for `remove`; the value for `set`; and the start, the number of removed
  /// elements and the inserted elements for `splice`.
  var recorded: Value {
    let keys = Value.array(
      path.map { key in
        switch key {
        case .field(let name): .string(name)
        case .index(let index): .int(index)
        }
      })
    return switch change {
    case .set(let value): .array([keys, value])
    case .remove: .array([keys])
    case .splice(let start, let removed, let inserted):
      .array([keys, .int(start), .int(removed), .array(inserted)])
    }
  }

  init?(recorded: Value) {
    guard case .array(let parts) = recorded, case .array(let keys)? = parts.first,
      keys.count <= Self.longestPath
    else { return nil }
    var path: [Key] = []
    for key in keys {
      switch key {
      case .string(let name): path.append(.field(name))
      case .int(let index): path.append(.index(index))
      default: return nil
      }
    }
    switch parts.count {
    case 1: self.init(path, .remove)
    case 2: self.init(path, .set(parts[1]))
    case 4:
      guard case .int(let start) = parts[1], case .int(let removed) = parts[2],
        case .array(let inserted) = parts[3]
      else { return nil }
      self.init(path, .splice(start: start, removed: removed, inserted: inserted))
    default: return nil
    }
  }
}

extension SavedInstance {
  /// The instance in a recording.
  var recorded: Value {
    var fields: [String: Value] = [
      "i": .string(InstanceNumber.text(id)), "n": .string(node), "o": .int(Int(order)),
    ]
    if arguments != .null, arguments != .object([:]) { fields["a"] = arguments }
    if let presenter { fields["b"] = .string(InstanceNumber.text(presenter)) }
    if let selectedTab { fields["t"] = .string(selectedTab) }
    switch place {
    case .above(let id): fields["p"] = .array(["above", .string(InstanceNumber.text(id))])
    case .tab(let id, let node):
      fields["p"] = .array(["tab", .string(InstanceNumber.text(id)), .string(node)])
    case .layer(nil): break
    case .layer(let id?): fields["p"] = .array(["layer", .string(InstanceNumber.text(id))])
    case .background(nil): fields["p"] = .array(["background"])
    case .background(let id?):
      fields["p"] = .array(["background", .string(InstanceNumber.text(id))])
    }
    switch state {
    case .container: break
    case .value(let value): fields["s"] = value
    case .notEncodable(let reason): fields["e"] = .string(reason)
    case .suspended(let value, let reason, let isWholePlugin):
      fields["s"] = value
      fields["e"] = .string(reason)
      fields["all"] = .bool(isWholePlugin)
    }
    if let encodedBy {
      fields["f"] = .array([.string(encodedBy.feature), .string(encodedBy.version)])
    }
    return .object(fields)
  }

  init?(recorded: Value) {
    guard case .object(let fields) = recorded, let id = fields["i"]?.instance,
      case .string(let node)? = fields["n"], case .int(let order)? = fields["o"], order >= 0,
      let place = Place(recorded: fields["p"])
    else { return nil }
    var presenter: UInt64?
    if let field = fields["b"] {
      guard let id = field.instance else { return nil }
      presenter = id
    }
    var encodedBy: FeatureVersion?
    if case .array(let parts)? = fields["f"] {
      guard parts.count == 2, case .string(let feature) = parts[0],
        case .string(let version) = parts[1]
      else { return nil }
      encodedBy = FeatureVersion(feature: feature, version: version)
    }
    let state: State
    switch (fields["s"], fields["e"]) {
    case (nil, nil): state = .container
    case (let value?, nil): state = .value(value)
    case (nil, .string(let reason)?): state = .notEncodable(reason: reason)
    case (let value?, .string(let reason)?):
      state = .suspended(value, reason: reason, isWholePlugin: fields["all"] == .bool(true))
    default: return nil
    }
    self.init(
      id: id, node: node, arguments: fields["a"] ?? .object([:]), presenter: presenter,
      place: place, selectedTab: fields["t"]?.text, order: UInt64(order), state: state,
      encodedBy: encodedBy)
  }
}

extension SavedInstance.Place {
  fileprivate init?(recorded: Value?) {
    guard let recorded else {
      self = .layer(over: nil)
      return
    }
    guard case .array(let parts) = recorded, case .string(let word)? = parts.first else {
      return nil
    }
    let id = parts.count > 1 ? parts[1].instance : nil
    switch (word, parts.count, id) {
    case ("above", 2, let id?): self = .above(id)
    case ("tab", 3, let id?):
      guard case .string(let node) = parts[2] else { return nil }
      self = .tab(of: id, node: node)
    case ("layer", 2, let id?): self = .layer(over: id)
    case ("background", 1, _): self = .background(of: nil)
    case ("background", 2, let id?): self = .background(of: id)
    default: return nil
    }
  }
}

extension Value {
  /// The text of a string; `nil` for anything else.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The instance's number that this text stands for; `nil` for anything else.
  var instance: UInt64? { text.flatMap(InstanceNumber.number) }
}
