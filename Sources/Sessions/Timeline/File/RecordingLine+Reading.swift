@_spi(Host) internal import AppCore

extension RecordingLine {
  /// The maximum nesting of a line: that of a state, plus the levels around it.
  static let depthLimit = 1010

  /// Parses a line.
  ///
  /// - Parameter bytes: the line without its newline.
  /// - Throws: why it is not a line of a recording.
  package init(_ bytes: some Sequence<UInt8>) throws(LineFault) {
    let value: Value
    do throws(JSONReader.Failure) {
      value = try JSONReader.value(bytes, depthLimit: Self.depthLimit)
    } catch {
      throw LineFault("\(error.reason), at byte \(error.offset + 1)")
    }
    guard case .object(let fields) = value else { throw LineFault("it is not a JSON object") }
    if fields["n"] != nil {
      self = .step(try RecordedStep(fields))
    } else if fields["k"] != nil {
      self = .keyframe(step: try fields.number("k"), try AppMoment(fields))
    } else if case .object(let crash)? = fields["crash"] {
      self = .end(.crashed(RecordedCrash(fields: crash.compactMapValues(\.text))))
    } else if fields["end"] == true {
      self = .end(.ended)
    } else {
      throw LineFault("it is not a step, a keyframe or an end")
    }
  }
}

/// Why a line can't be parsed as a line of a recording.
package struct LineFault: Error, Hashable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  static func field(_ name: String, _ expected: String) -> LineFault {
    LineFault("its field '\(name)' is not \(expected)")
  }
}

extension [String: Value] {
  /// The largest number that is accepted: sums of a few of them don't overflow.
  private static var largestNumber: Int { 1 << 53 }

  fileprivate func number(_ name: String) throws(LineFault) -> Int {
    guard case .int(let number)? = self[name], (0...Self.largestNumber).contains(number) else {
      throw .field(name, "a number from 0 to 2^53")
    }
    return number
  }
}

extension [String: Value] {
  /// The instances' numbers in the list of a field; empty if there is no such field.
  fileprivate func instances(_ name: String) throws(LineFault) -> [UInt64] {
    guard let field = self[name] else { return [] }
    guard case .array(let values) = field else { throw .field(name, "a list of instances") }
    let numbers = values.compactMap(\.instance)
    guard numbers.count == values.count else { throw .field(name, "a list of instances") }
    return numbers
  }
}

extension AppMoment {
  fileprivate init(_ fields: [String: Value]) throws(LineFault) {
    self.init()
    guard case .array(let values)? = fields["c"] else {
      throw .field("c", "a list of instances")
    }
    for value in values {
      guard let instance = SavedInstance(recorded: value) else {
        throw .field("c", "a list of instances")
      }
      instances[instance.id] = instance
    }
    waitingLink = fields["w"]?.text
    redacted = Set(try fields.instances("u"))
  }
}

extension RecordedStep {
  fileprivate init(_ fields: [String: Value]) throws(LineFault) {
    guard let text = fields["x"]?.text else { throw .field("x", "a text") }
    guard let origin = fields["o"]?.text.flatMap(Origin.init(letter:)) else {
      throw .field("o", "one of s, e, d, r, n and c")
    }
    guard let digest = fields["h"]?.text.flatMap({ UInt64($0, radix: 36) }) else {
      throw .field("h", "a digest")
    }
    self.init(
      number: try fields.number("n"), time: try fields.number("t"),
      duration: try fields.number("d"), origin: origin, node: fields["m"]?.text, text: text,
      action: fields["a"])
    self.digest = digest
    if let field = fields["i"] {
      guard let id = field.instance else { throw .field("i", "an instance") }
      instance = id
    }
    if fields["skipped"] != nil { skipped = try fields.number("skipped") }
    hasSecret = fields["secret"] == true
    sharesNews = fields["shared"] == true
    if let field = fields["b"] {
      do throws(RecordingFault) {
        build = try RecordingHeader(field)
      } catch {
        throw .field("b", "what the app was made of")
      }
    }
    lines = try Self.lines(fields["l"])
    readings = try Self.readings(fields["r"])
    change = try StateChange(fields)
    guard let seal = fields["s"]?.text.flatMap({ UInt64($0, radix: 36) }) else { return }
    var own = StateDigest.FieldDigest()
    for (name, value) in fields where !Self.unsealed.contains(name) { own.add(name, value) }
    isAltered = own.digest != seal
  }

  private static func lines(_ field: Value?) throws(LineFault) -> [Line] {
    guard let field else { return [] }
    guard case .array(let values) = field else { throw .field("l", "a list of lines") }
    var lines: [Line] = []
    for value in values {
      guard let text = value["x"]?.text else { throw .field("l", "a list of lines") }
      var line = Line(text, script: [text])
      if case .int(let number)? = value["n"] { line.number = number }
      switch value["s"] {
      case .array(let script)?: line.script = script.compactMap(\.text)
      case .null?: line.script = nil
      default: break
      }
      lines.append(line)
    }
    return lines
  }

  private static func readings(_ field: Value?) throws(LineFault) -> [DependencyTape.Reading] {
    guard let field else { return [] }
    guard case .array(let values) = field else { throw .field("r", "a list of what was read") }
    var readings: [DependencyTape.Reading] = []
    for value in values {
      guard let reading = DependencyTape.Reading(recorded: value) else {
        throw .field("r", "a list of what was read")
      }
      readings.append(reading)
    }
    return readings
  }
}

extension StateChange {
  /// Parses the end of a step's line, from the first field that describes the changes.
  init(fieldsOf bytes: ArraySlice<UInt8>) throws {
    var object: [UInt8] = [0x7b]
    object.append(contentsOf: bytes)
    guard
      case .object(let fields) = try JSONReader.value(
        object, depthLimit: RecordingLine.depthLimit)
    else { throw LineFault("it is not a JSON object") }
    try self.init(fields)
  }

  fileprivate init(_ fields: [String: Value]) throws(LineFault) {
    self.init()
    if let field = fields["c"] {
      guard case .array(let values) = field else { throw .field("c", "a list of instances") }
      for value in values { instances.append(try Self.instance(value)) }
    }
    removed = try fields.instances("g")
    redacted = Set(try fields.instances("u"))
    switch fields["w"] {
    case .string(let link)?: waitingLink = .some(link)
    case .null?: waitingLink = .some(nil)
    case nil: break
    default: throw .field("w", "a link")
    }
  }

  private static func instance(_ value: Value) throws(LineFault) -> Instance {
    guard case .array(let coded)? = value["d"] else {
      guard let instance = SavedInstance(recorded: value) else {
        throw .field("c", "a list of instances")
      }
      return .whole(instance)
    }
    guard let id = value["i"]?.instance else { throw .field("c", "a list of instances") }
    var edits: [ValueEdit] = []
    for edit in coded {
      guard let edit = ValueEdit(recorded: edit) else {
        throw .field("d", "a list of changes")
      }
      edits.append(edit)
    }
    return .state(id, edits)
  }
}
