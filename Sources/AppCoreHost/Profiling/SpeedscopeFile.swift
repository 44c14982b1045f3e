internal import AppCore
internal import Navigation
package import Support

/// Writes a profile in the format of speedscope.
///
/// The format is described at https://www.speedscope.app/file-format-schema.json. The file has two
/// profiles. That of the store's thread has a frame for each action, within a frame for its
/// instance. That of the effects has a sample for each effect, weighted by its duration, because
/// effects may overlap and frames may not.
package struct SpeedscopeFile {
  private let memory: ProfileMemory
  private let title: String
  private let names: [String]
  private var frames: [String] = []
  private var frameNumbers: [FrameKey: Int] = [:]
  private var buffer: [UInt8] = []
  /// Whether the next element is the first of its list, before which there is no comma.
  private var isFirst = true

  private enum FrameKey: Hashable {
    case name(UInt32)
    case instance(node: UInt32, UInt64)
  }

  /// What takes the bytes of the file, in order.
  package typealias Sink = ([UInt8]) throws(SystemError) -> Void

  /// How many bytes are collected before they are passed to the sink.
  private static let chunk = 1 << 16

  /// Creates the file of a profile, which speedscope shows under a title.
  package init(_ memory: ProfileMemory, title: String) {
    self.memory = memory
    self.title = title
    names = memory.names
  }

  /// A description of the records that a profile contains; `nil` if it contains all.
  package static func losses(of memory: ProfileMemory) -> String? {
    let losses = ProfileMemory.Kind.allCases.compactMap { kind -> String? in
      let count = memory.count(kind)
      guard count > memory.limit else { return nil }
      let name = kind == .action ? "actions and screens" : "effects"
      return "the newest \(memory.limit) of \(count) \(name)"
    }
    return losses.isEmpty ? nil : losses.joined(separator: " and ")
  }

  package mutating func write(to sink: Sink) throws(SystemError) {
    add(#"{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"#)
    add(JSONTree.quote("appcore@\(SDK.version)"))
    add(#","name":"# + JSONTree.quote(title) + #","activeProfileIndex":0,"profiles":["#)
    try writeActions(to: sink)
    if memory.count(.effect) > 0 { try writeEffects(to: sink) }
    // Last, because writing the profiles collects the frames.
    add(#"],"shared":{"frames":["#)
    isFirst = true
    for frame in frames {
      try element(#"{"name":"# + JSONTree.quote(frame) + "}", to: sink)
    }
    add("]}}\n")
    try hand(to: sink, all: true)
  }

  private mutating func writeActions(to sink: Sink) throws(SystemError) {
    var range: (start: Int, end: Int)?
    isFirst = true
    add(#"{"type":"evented","name":"store","unit":"nanoseconds","events":["#)
    for record in memory.records(.action) {
      let start = max(time(record.start), range?.end ?? 0)
      let end = max(time(record.start &+ record.duration), start)
      range = (range?.start ?? start, end)
      let stack = stack(of: record)
      for frame in stack {
        try element(#"{"type":"O","frame":\#(frame),"at":\#(start)}"#, to: sink)
      }
      for frame in stack.reversed() {
        try element(#"{"type":"C","frame":\#(frame),"at":\#(end)}"#, to: sink)
      }
    }
    add(#"],"startValue":\#(range?.start ?? 0),"endValue":\#(range?.end ?? 0)}"#)
  }

  private mutating func writeEffects(to sink: Sink) throws(SystemError) {
    var total = 0
    isFirst = true
    add(#",{"type":"sampled","name":"effects","unit":"nanoseconds","samples":["#)
    for record in memory.records(.effect) {
      let stack = stack(of: record).map { "\($0)" }.joined(separator: ",")
      try element("[" + stack + "]", to: sink)
    }
    isFirst = true
    add(#"],"weights":["#)
    for record in memory.records(.effect) {
      let weight = min(max(0, record.duration), Self.longest)
      total = min(total, Int.max - weight) + weight
      try element("\(weight)", to: sink)
    }
    add(#"],"startValue":0,"endValue":\#(total)}"#)
  }

  /// The longest credible duration, a year in nanoseconds: the memory may have been overwritten.
  private static let longest = 366 * 86_400 * 1_000_000_000

  /// The time since the profile's start, in nanoseconds.
  private func time(_ moment: Int) -> Int { min(max(0, moment &- memory.start), Self.longest) }

  private mutating func stack(of record: ProfileMemory.Record) -> [Int] {
    var stack: [Int] = []
    if let node = name(record.node) {
      stack.append(
        frame(.instance(node: record.node, record.instance)) {
          "\(node) #\(InstanceID(number: record.instance))"
        })
    }
    if let name = name(record.name) { stack.append(frame(.name(record.name)) { name }) }
    return stack.isEmpty ? [frame(.name(.max)) { "(unknown)" }] : stack
  }

  private func name(_ number: UInt32) -> String? {
    names.indices.contains(Int(number)) ? names[Int(number)] : nil
  }

  private mutating func frame(_ key: FrameKey, _ name: () -> String) -> Int {
    if let number = frameNumbers[key] { return number }
    frames.append(name())
    frameNumbers[key] = frames.count - 1
    return frames.count - 1
  }

  /// Adds an element of a list.
  private mutating func element(_ text: String, to sink: Sink) throws(SystemError) {
    add((isFirst ? "" : ",") + text)
    isFirst = false
    try hand(to: sink)
  }

  private mutating func add(_ text: String) { buffer.append(contentsOf: text.utf8) }

  private mutating func hand(to sink: Sink, all: Bool = false) throws(SystemError) {
    guard all || buffer.count >= Self.chunk else { return }
    try sink(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
