@_spi(Host) internal import AppCore
package import Support

package enum RecordingLine: Hashable, Sendable {
  /// The whole app after a step; reading can begin here.
  case keyframe(step: Int, AppMoment)
  case step(RecordedStep)
  case crash(RecordedCrash)
  /// The app ended normally, or the recording was saved while it ran.
  case end

  /// The line as JSON, without its newline.
  package var text: String {
    switch self {
    case .keyframe(let step, let moment):
      var fields = moment.whole.fields
      fields["k"] = .int(step)
      // Whoever reads one takes the list to be there.
      fields["c"] = fields["c"] ?? []
      return Value.object(fields).json
    case .step(let step): return Value.object(step.fields).json
    case .crash(let crash): return Value(coding: ["crash": crash.fields]).json
    case .end: return #"{"end":true}"#
    }
  }

  /// Parses a line.
  ///
  /// - Parameter bytes: the line without its newline.
  /// - Throws: why it is not a line of a recording.
  package init(_ bytes: some Sequence<UInt8>) throws(Rejection) {
    let value: Value
    do throws(JSONReader.Failure) {
      value = try JSONReader.value(bytes, depthLimit: Value.lineDepthLimit)
    } catch {
      throw .unreadableLine("\(error.reason), at byte \(error.offset + 1)")
    }
    guard case .object(let fields) = value else { throw .unreadableLine("it is not a JSON object") }
    if fields["n"] != nil {
      self = .step(try RecordedStep(fields))
    } else if fields["k"] != nil {
      var moment = AppMoment()
      if let reason = moment.apply(try StateChange(fields)) { throw .unreadableLine(reason) }
      self = .keyframe(step: try fields.number("k"), moment)
    } else if case .object(let crash)? = fields["crash"] {
      self = .crash(RecordedCrash(fields: crash.compactMapValues(\.text)))
    } else if fields["end"] == true {
      self = .end
    } else {
      throw .unreadableLine("it is not a step, a keyframe or an end")
    }
  }
}

extension Rejection {
  fileprivate static func unreadableLine(_ reason: String) -> Rejection {
    Rejection(.damagedRecording, "the line can't be read: \(reason)")
  }
}

extension [String: Value] {
  /// The largest number that is accepted: sums of a few of them don't overflow.
  private static var largestNumber: Int { 1 << 53 }

  func number(_ name: String) throws(Rejection) -> Int {
    try required(name, "a number from 0 to 2^53") { field -> Int? in
      guard case .int(let number) = field, (0...Self.largestNumber).contains(number) else {
        return nil
      }
      return number
    }
  }

  /// Reads a field.
  ///
  /// - Throws: a fault if it is missing or can't be read.
  func required<Part>(
    _ name: String, _ expected: String, _ read: (Value) -> Part?
  ) throws(Rejection) -> Part {
    guard let part = self[name].flatMap(read) else {
      throw .unreadableLine("its field '\(name)' is not \(expected)")
    }
    return part
  }

  /// Reads a field; `missing` stands for one that is missing.
  ///
  /// - Throws: a fault if it can't be read.
  func optional<Part>(
    _ name: String, _ expected: String, or missing: Part, _ read: (Value) -> Part?
  ) throws(Rejection) -> Part {
    self[name] == nil ? missing : try required(name, expected, read)
  }
}
