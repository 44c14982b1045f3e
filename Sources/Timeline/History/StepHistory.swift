/// The steps of an app, kept as the lines of a recording: bounded by how many bytes they take.
///
/// They are in groups, each of which begins with all of the app; what comes after it are differences. The
/// oldest group is dropped as a whole.
package struct StepHistory: Sendable {
  /// A line, and the same without secrets where it has some.
  package struct Line: Sendable {
    package let text: String
    package let open: String?
    /// Where in the text what a step changes begins.
    fileprivate let changeOffset: Int

    /// A line with all of the app.
    package init(_ text: String, open: String? = nil) {
      self.text = text
      self.open = open == text ? nil : open
      changeOffset = 0
    }

    /// The line of a step.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - open: the same without secrets, where it has some.
    package init(_ step: RecordedStep, open: RecordedStep? = nil) {
      let (text, offset) = RecordingLine.text(of: step)
      self.text = text
      self.open = open.map { RecordingLine.step($0).text }
      changeOffset = offset
    }
  }

  private struct Group: Sendable {
    /// The number of its first step.
    let first: Int
    /// The lines one after the other: all of the app before the first step, then each step.
    var bytes: [UInt8]
    /// Where each line ends.
    var ends: [Int]
    /// Where in each line what its step changes begins.
    var offsets: [Int32]
    /// The lines without secrets, where those differ, by their index.
    var open: [Int: [UInt8]] = [:]
    /// How long the first line is.
    let keyframe: Int
    /// What ``open`` takes.
    var openBytes = 0

    var stepCount: Int { ends.count - 1 }
    /// How many bytes are used, with what is kept of each line besides.
    var size: Int {
      bytes.count + openBytes
        + ends.count * (MemoryLayout<Int>.stride + MemoryLayout<Int32>.stride) + Self.overhead
    }
    static let overhead = 256

    init(first: Int, _ keyframe: Line) {
      self.first = first
      bytes = Array(keyframe.text.utf8)
      ends = [bytes.count]
      offsets = [0]
      self.keyframe = bytes.count
      setOpen(keyframe)
    }

    mutating func append(_ line: Line) {
      bytes.append(contentsOf: line.text.utf8)
      ends.append(bytes.count)
      offsets.append(Int32(clamping: line.changeOffset))
      setOpen(line)
    }

    private mutating func setOpen(_ line: Line) {
      guard let text = line.open else { return }
      open[ends.count - 1] = Array(text.utf8)
      openBytes += text.utf8.count + 64
    }

    /// Gives up room that was made for more.
    mutating func seal() {
      bytes = bytes.withUnsafeBufferPointer { Array($0) }
      ends = ends.withUnsafeBufferPointer { Array($0) }
      offsets = offsets.withUnsafeBufferPointer { Array($0) }
    }

    func line(_ index: Int, withoutSecrets: Bool = false) -> ArraySlice<UInt8> {
      if withoutSecrets, let open = open[index] { return open[...] }
      return bytes[start(of: index)..<ends[index]]
    }

    private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    /// What the step of a line changes, without reading the rest of it.
    func change(_ index: Int, withoutSecrets: Bool) -> StateChange? {
      if withoutSecrets, open[index] != nil {
        guard case .step(let step)? = try? RecordingLine(line(index, withoutSecrets: true)) else {
          return nil
        }
        return step.change
      }
      return try? StateChange(fieldsOf: bytes[start(of: index) + Int(offsets[index])..<ends[index]])
    }
  }

  /// How many bytes are kept; `nil` for all.
  package let limit: Int?
  /// How many bytes the groups take.
  package private(set) var size = 0
  private var groups: [Group] = []

  package init(limit: Int?) { self.limit = limit }

  /// The numbers of the steps that are kept.
  package var numbers: Range<Int> {
    guard let first = groups.first, let last = groups.last else { return 1..<1 }
    return first.first..<last.first + last.stepCount
  }

  /// Whether the next step has to come with all of the app before it.
  ///
  /// A group is as long as may be read for a jump, and no shorter than what it begins with.
  package var needsKeyframe: Bool {
    guard let last = groups.last else { return true }
    var longest = max(1 << 15, last.keyframe)
    // So that dropping one does not drop most of what is kept.
    if let limit { longest = min(longest, max(limit / 16, last.keyframe + 1)) }
    return last.bytes.count - last.keyframe > longest
  }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - number: its number, the one after the last.
  ///   - line: the step.
  ///   - keyframe: all of the app before it, where ``needsKeyframe`` asks for that.
  package mutating func append(_ number: Int, _ line: Line, keyframe: Line?) {
    if let keyframe {
      if let last = groups.indices.last {
        size -= groups[last].size
        groups[last].seal()
        size += groups[last].size
      }
      groups.append(Group(first: number, keyframe))
      size += groups[groups.count - 1].size
    }
    guard let last = groups.indices.last else { return }
    size -= groups[last].size
    groups[last].append(line)
    size += groups[last].size
    guard let limit else { return }
    while size > limit, !groups.isEmpty { size -= groups.removeFirst().size }
  }

  /// The step with a number; `nil` where it is not kept.
  package func step(_ number: Int, withoutSecrets: Bool = false) -> RecordedStep? {
    guard let group = group(of: number),
      case .step(let step)? = try? RecordingLine(
        group.line(number - group.first + 1, withoutSecrets: withoutSecrets))
    else { return nil }
    return step
  }

  /// The app after a step; `nil` where neither it nor the one after it is kept.
  ///
  /// - Complexity: O(n) in the bytes of the group.
  package func moment(after number: Int, withoutSecrets: Bool = false) -> AppMoment? {
    // What a group begins with is the app after the step before it.
    guard let group = group(of: number) ?? group(of: number + 1),
      case .keyframe(_, var moment)? = try? RecordingLine(
        group.line(0, withoutSecrets: withoutSecrets))
    else { return nil }
    for index in 1..<max(number - group.first + 2, 1) {
      guard let change = group.change(index, withoutSecrets: withoutSecrets),
        moment.apply(change) == nil
      else { return nil }
    }
    return moment
  }

  /// Whether what is before a step is kept as a whole.
  package func beginsGroup(_ number: Int) -> Bool { group(of: number)?.first == number }

  /// All lines without secrets, as a recording has them after its header.
  package var linesWithoutSecrets: [String] {
    groups.flatMap { group in
      group.ends.indices.map {
        String(decoding: group.line($0, withoutSecrets: true), as: UTF8.self)
      }
    }
  }

  private func group(of number: Int) -> Group? {
    var (low, high) = (0, groups.count)
    while low < high {
      let middle = (low + high) / 2
      if groups[middle].first + groups[middle].stepCount <= number {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < groups.count, groups[low].first <= number else { return nil }
    return groups[low]
  }
}
