internal import Support

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

    package init(_ line: RecordingLine, redacted: RecordingLine? = nil) {
      text = line.text
      let open = redacted?.text
      self.redacted = open == text ? nil : open
    }

    /// The size in memory, in bytes, as an estimate.
    fileprivate var size: Int {
      2 * MemoryLayout<Line>.stride + text.utf8.count + (redacted?.utf8.count ?? 0)
    }

    fileprivate func content(withoutSecrets: Bool) -> RecordingLine? {
      try? RecordingLine((withoutSecrets ? redacted ?? text : text).utf8)
    }
  }

  /// A keyframe and the steps that follow it.
  private struct Group: Sendable {
    let first: Int
    /// The app before the first step.
    let keyframe: Line
    var steps: [Line] = []
    var stepSize = 0

    var size: Int { keyframe.size + stepSize }
    var numbers: Range<Int> { first..<first + steps.count }
  }

  /// The maximum size in bytes; `nil` for no limit.
  package let limit: Int?
  /// The size of all groups in bytes, as an estimate.
  package private(set) var size = 0
  private var groups: [Group] = []

  package init(limit: Int?) { self.limit = limit }

  package var numbers: Range<Int> {
    guard let first = groups.first, let last = groups.last else { return 1..<1 }
    return first.first..<last.numbers.upperBound
  }

  /// Whether the next step needs a keyframe before it.
  ///
  /// A jump to a step reads its group from the start, so groups are short. They are still longer
  /// than their keyframes, so that keyframes take at most about half of the memory.
  package var needsKeyframe: Bool {
    guard let last = groups.last else { return true }
    var longest = max(1 << 15, last.keyframe.size)
    // Dropping a group must not drop most of the history.
    if let limit { longest = min(longest, max(limit / 16, last.keyframe.size + 1)) }
    return last.stepSize > longest
  }

  /// Adds a step.
  ///
  /// Its number follows that of the last step. The keyframe, which has the whole app before the step,
  /// is required if ``needsKeyframe`` is `true`.
  package mutating func append(_ number: Int, _ line: Line, keyframe: Line?) {
    if let keyframe {
      groups.append(Group(first: number, keyframe: keyframe))
      size += keyframe.size
    }
    guard let last = groups.indices.last else { return }
    groups[last].steps.append(line)
    groups[last].stepSize += line.size
    size += line.size
    guard let limit else { return }
    while size > limit, !groups.isEmpty { size -= groups.removeFirst().size }
  }

  /// The step with a number; `nil` if it is not in the history.
  package func step(_ number: Int, withoutSecrets: Bool = false) -> RecordedStep? {
    guard let group = group(of: number),
      case .step(let step)? = group.steps[number - group.first]
        .content(withoutSecrets: withoutSecrets)
    else { return nil }
    return step
  }

  /// The app after a step; `nil` if neither the step nor the next one is in the history.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes in the step's group.
  package func moment(after number: Int, withoutSecrets: Bool = false) -> AppMoment? {
    // A group's keyframe is the app after the step before the group.
    guard let group = group(of: number) ?? group(of: number + 1),
      case .keyframe(_, var moment)? = group.keyframe.content(withoutSecrets: withoutSecrets)
    else { return nil }
    for line in group.steps.prefix(max(number - group.first + 1, 0)) {
      guard case .step(let step)? = line.content(withoutSecrets: withoutSecrets),
        moment.apply(step.change) == nil
      else { return nil }
    }
    return moment
  }

  package func beginsGroup(_ number: Int) -> Bool { group(of: number)?.first == number }

  /// The lines of a recording of the history, without its header and without secrets.
  package var linesWithoutSecrets: [String] {
    groups.flatMap { group in ([group.keyframe] + group.steps).map { $0.redacted ?? $0.text } }
  }

  private func group(of number: Int) -> Group? {
    let index = groups.partitioningIndex { $0.numbers.upperBound > number }
    return index < groups.count && groups[index].first <= number ? groups[index] : nil
  }
}
