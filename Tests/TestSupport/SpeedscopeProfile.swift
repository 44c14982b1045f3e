package import Foundation

/// A profile in speedscope's file format, validated against what its schema and appcore require.
package struct SpeedscopeProfile {
  /// A call: its stack, as the names of the frames with the outermost first, and its start and end.
  ///
  /// Times are in nanoseconds.
  package struct Span: Equatable {
    package let stack: [String]
    package let start: Int
    package let end: Int

    package init(_ stack: [String], _ start: Int, _ end: Int) {
      self.stack = stack
      self.start = start
      self.end = end
    }
  }

  /// The error that the file violates a rule, which the description names.
  package struct Violation: Error, CustomStringConvertible {
    package let description: String
  }

  /// The names of all frames.
  package private(set) var frames: [String] = []
  /// The innermost calls of the first profile: those during which no other call starts.
  package private(set) var spans: [Span] = []
  /// The samples of the second profile, with their weights in nanoseconds.
  ///
  /// Empty if there is no second profile.
  package private(set) var samples: [(stack: [String], weight: Int)] = []

  /// The name of the innermost frame of each span, in order.
  package var actions: [String] { spans.compactMap(\.stack.last) }

  /// Reads and validates a file.
  ///
  /// - Throws: ``Violation``, or an error of the JSON parser.
  package init(_ data: Data) throws {
    let file = try Self.object(JSONSerialization.jsonObject(with: data), "the file")
    try Self.check(
      file["$schema"] as? String == "https://www.speedscope.app/file-format-schema.json",
      "$schema")
    try Self.check((file["exporter"] as? String)?.hasPrefix("appcore@") == true, "exporter")
    try Self.check(file["activeProfileIndex"] as? Int == 0, "activeProfileIndex")
    try Self.check(file["name"] is String, "name")
    let shared = try Self.object(file["shared"], "shared")
    frames = try Self.objects(shared["frames"], "frames").map { frame in
      guard let name = frame["name"] as? String, !name.isEmpty else {
        throw Violation(description: "a frame without a name")
      }
      return name
    }
    try Self.check(Set(frames).count == frames.count, "frames that are listed twice")
    let profiles = try Self.objects(file["profiles"], "profiles")
    try Self.check((1...2).contains(profiles.count), "the number of profiles")
    for profile in profiles {
      try Self.check(profile["name"] is String, "a profile's name")
      try Self.check(profile["unit"] as? String == "nanoseconds", "a profile's unit")
    }
    try readEvents(profiles[0])
    if profiles.count == 2 { try readSamples(profiles[1]) }
  }

  private mutating func readEvents(_ profile: [String: Any]) throws {
    try Self.check(profile["type"] as? String == "evented", "the first profile's type")
    let (start, end) = try Self.range(profile)
    var last = start
    var open: [(frame: Int, at: Int)] = []
    var isInnermost = false
    for event in try Self.objects(profile["events"], "events") {
      guard let frame = event["frame"] as? Int, let time = event["at"] as? Int else {
        throw Violation(description: "an event without frame or time")
      }
      try Self.check(frames.indices.contains(frame), "an event's frame")
      try Self.check(time >= last, "the order of events")
      last = time
      switch event["type"] as? String {
      case "O":
        open.append((frame, time))
        isInnermost = true
      case "C":
        try Self.check(open.last?.frame == frame, "a frame is closed that is not the last open one")
        if isInnermost, let start = open.last?.at {
          spans.append(Span(open.map { frames[$0.frame] }, start, time))
        }
        open.removeLast()
        isInnermost = false
      default: throw Violation(description: "an event's type")
      }
    }
    try Self.check(open.isEmpty, "a frame is not closed")
    try Self.check(last <= end, "an event after the end")
  }

  private mutating func readSamples(_ profile: [String: Any]) throws {
    try Self.check(profile["type"] as? String == "sampled", "the second profile's type")
    let (start, end) = try Self.range(profile)
    guard let stacks = profile["samples"] as? [[Int]], let weights = profile["weights"] as? [Int]
    else { throw Violation(description: "samples and weights") }
    try Self.check(stacks.count == weights.count, "as many weights as samples")
    try Self.check(weights.allSatisfy { $0 >= 0 }, "a negative weight")
    try Self.check(weights.reduce(0, +) == end - start, "the sum of the weights")
    for (stack, weight) in zip(stacks, weights) {
      try Self.check(!stack.isEmpty && stack.allSatisfy(frames.indices.contains), "a sample")
      samples.append((stack.map { frames[$0] }, weight))
    }
  }

  private static func range(_ profile: [String: Any]) throws -> (start: Int, end: Int) {
    guard let start = profile["startValue"] as? Int, let end = profile["endValue"] as? Int,
      start <= end
    else { throw Violation(description: "startValue and endValue") }
    return (start, end)
  }

  private static func object(_ value: Any?, _ name: String) throws -> [String: Any] {
    guard let object = value as? [String: Any] else { throw Violation(description: name) }
    return object
  }

  private static func objects(_ value: Any?, _ name: String) throws -> [[String: Any]] {
    guard let objects = value as? [[String: Any]] else { throw Violation(description: name) }
    return objects
  }

  private static func check(_ condition: Bool, _ name: String) throws {
    if !condition { throw Violation(description: name) }
  }
}
