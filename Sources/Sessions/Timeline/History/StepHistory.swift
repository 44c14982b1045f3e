/// The steps of an app, stored in memory as the lines of a recording, up to a number of bytes.
///
/// The steps form groups. Each group begins with a keyframe, which contains the whole app; the
/// steps after it contain only what they change. When the limit is exceeded, the oldest group is
/// dropped.
package struct StepHistory: Sendable {
  /// A line, together with its redacted form if it contains secrets.
  package struct Line: Sendable {
    package let text: String
    /// The line without secrets; `nil` if it contains none.
    package let redacted: String?
    /// The offset in ``text`` of the fields that describe a step's changes, in bytes.
    fileprivate let changeOffset: Int

    /// Creates a keyframe's line.
    package init(_ text: String, redacted: String? = nil) {
      self.text = text
      self.redacted = redacted == text ? nil : redacted
      changeOffset = 0
    }

    /// Creates a step's line.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - redacted: the step without secrets; `nil` if it contains none.
    package init(_ step: RecordedStep, redacted: RecordedStep? = nil) {
      let (text, offset) = RecordingLine.text(of: step)
      self.text = text
      self.redacted = redacted.map { RecordingLine.step($0).text }
      changeOffset = offset
    }
  }

  /// A keyframe and the steps that follow it.
  private struct Group: Sendable {
    /// The number of its first step.
    let first: Int
    /// The lines, concatenated: the keyframe before the first step, then each step.
    var bytes: [UInt8]
    /// The offset in ``bytes`` at which each line ends.
    var ends: [Int]
    /// The offset in each line of the fields that describe its step's changes.
    var offsets: [Int32]
    /// The redacted forms of the lines with secrets, by line index.
    var redacted: [Int: [UInt8]] = [:]
    /// The length of the keyframe's line, in bytes.
    let keyframe: Int
    /// The size of ``redacted`` in bytes, as an estimate.
    var redactedBytes = 0

    var stepCount: Int { ends.count - 1 }
    /// The size in bytes, including the bookkeeping for each line.
    var size: Int {
      bytes.count + redactedBytes
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
      guard let text = line.redacted else { return }
      redacted[ends.count - 1] = Array(text.utf8)
      redactedBytes += text.utf8.count + 64
    }

    /// Releases unused capacity, because no more lines are appended.
    mutating func seal() {
      bytes = bytes.withUnsafeBufferPointer { Array($0) }
      ends = ends.withUnsafeBufferPointer { Array($0) }
      offsets = offsets.withUnsafeBufferPointer { Array($0) }
    }

    func line(_ index: Int, withoutSecrets: Bool = false) -> ArraySlice<UInt8> {
      if withoutSecrets, let redacted = redacted[index] { return redacted[...] }
      return bytes[start(of: index)..<ends[index]]
    }

    private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    /// The changes of the step in a line, without parsing the rest of the line.
    func change(_ index: Int, withoutSecrets: Bool) -> StateChange? {
      if withoutSecrets, redacted[index] != nil {
        guard case .step(let step)? = try? RecordingLine(line(index, withoutSecrets: true)) else {
          return nil
        }
        return step.change
      }
      return try? StateChange(fieldsOf: bytes[start(of: index) + Int(offsets[index])..<ends[index]])
    }
  }

  /// The maximum size in bytes; `nil` for no limit.
  package let limit: Int?
  /// The size of all groups in bytes, as an estimate.
  package private(set) var size = 0
  private var groups: [Group] = []

  package init(limit: Int?) { self.limit = limit }

  /// The numbers of the steps in the history.
  package var numbers: Range<Int> {
    guard let first = groups.first, let last = groups.last else { return 1..<1 }
    return first.first..<last.first + last.stepCount
  }

  /// Whether the next step needs a keyframe before it.
  ///
  /// A jump to a step reads its group from the start, so groups are short. They are still longer
  /// than their keyframes, so that keyframes take at most about half of the memory.
  package var needsKeyframe: Bool {
    guard let last = groups.last else { return true }
    var longest = max(1 << 15, last.keyframe)
    // Dropping a group must not drop most of the history.
    if let limit { longest = min(longest, max(limit / 16, last.keyframe + 1)) }
    return last.bytes.count - last.keyframe > longest
  }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - number: its number, which follows that of the last step.
  ///   - line: the step.
  ///   - keyframe: the whole app before the step; required if ``needsKeyframe`` is `true`.
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

  /// The step with a number; `nil` if it is not in the history.
  package func step(_ number: Int, withoutSecrets: Bool = false) -> RecordedStep? {
    guard let group = group(of: number),
      case .step(let step)? = try? RecordingLine(
        group.line(number - group.first + 1, withoutSecrets: withoutSecrets))
    else { return nil }
    return step
  }

  /// The app after a step; `nil` if neither the step nor the next one is in the history.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes in the step's group.
  package func moment(after number: Int, withoutSecrets: Bool = false) -> AppMoment? {
    // A group's keyframe is the app after the step before the group.
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

  /// Whether a keyframe precedes a step.
  package func beginsGroup(_ number: Int) -> Bool { group(of: number)?.first == number }

  /// The lines of a recording of the history, without its header and without secrets.
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
