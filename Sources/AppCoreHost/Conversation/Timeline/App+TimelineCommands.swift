package import AppCore
internal import Navigation
package import Sessions
internal import Shell
internal import Support

// Carrying out `:timeline` and the commands that rewind.
extension App {
  /// The maximum number of steps that `:timeline` shows.
  private static let shownSteps = 50

  /// Whether a command may be carried out while a past step is shown.
  static func isFree(_ command: Command) -> Bool {
    switch command {
    case .back, .dismiss, .tab, .open, .reload, .resume: false
    default: true
    }
  }

  /// Why the app can't be used while a past step is shown; `nil` if the present state is shown.
  var rewindingRefusal: Rejection? {
    guard let rewound else { return nil }
    return recording == nil
      ? .rewound(step: rewound.number) : .onlyShown()
  }

  /// Carries out a command of the timeline.
  ///
  /// - Returns: the lines to print; `nil` if the command is not one of the timeline.
  /// - Throws: why the command is refused.
  func carryOutTimeline(_ command: Command) async throws(Rejection) -> [String]? {
    switch command {
    case .timeline: return try await timelineOutput()
    case .rewind(let count): try await rewind(by: -count)
    case .forward(let count): try await rewind(by: count)
    case .goto(let number): try await rewind(to: number)
    case .now:
      guard let recording else {
        showNow()
        break
      }
      try await rewind(to: recording.numbers.upperBound - 1)
    case .continue: try await continueFromShown()
    case .diff(let number): return try await diffOutput(number)
    case .record(let path): return try await recordOutput(path)
    default: return nil
    }
    guard let losses = rewound?.losses else { return [] }
    return session.output(paragraphs: ["It can't be shown as it was: " + losses])
  }

  private func rewind(by count: Int) async throws(Rejection) {
    let numbers = await stepNumbers()
    guard let last = numbers.last else { throw noHistory }
    // The typed number may be close to `Int.max`.
    let (sum, overflow) = (rewound?.number ?? last).addingReportingOverflow(count)
    let number = overflow ? (count < 0 ? 0 : Int.max) : max(0, sum)
    guard number > last else { return try await rewind(to: number) }
    guard recording == nil else { throw .noSuchStep(number, in: numbers) }
    showNow()
  }

  private func timelineOutput() async throws(Rejection) -> [String] {
    let numbers = await stepNumbers()
    guard !numbers.isEmpty else { throw noHistory }
    let middle = rewound?.number ?? numbers.upperBound - 1
    let last = min(middle + Self.shownSteps / 2, numbers.upperBound - 1)
    let steps = numbers.clamped(to: last - Self.shownSteps + 1..<last + 1).compactMap(redactedStep)
    let entries = steps.map { step in
      LogDrawing.Entry(
        origin: (step.number == rewound?.number ? "▸" : "") + "\(step.number)",
        owner: step.owner,
        text: step.text, microseconds: Double(step.duration) / 1000, notes: step.notes)
    }
    return session.output(
      LogDrawing(entries).lines(
        width: session.settings.width, style: session.settings.textStyle),
      value: .array(steps.map(\.value)), of: .timeline)
  }

  private func diffOutput(_ number: Int?) async throws(Rejection) -> [String] {
    let numbers = await stepNumbers()
    guard let last = numbers.last else { throw noHistory }
    let number = number ?? rewound?.number ?? last
    guard numbers.contains(number), let step = redactedStep(number),
      let before = redactedMoment(after: number - 1), let after = redactedMoment(after: number)
    else { throw .noSuchStep(number, in: numbers) }
    let changes = before.changes(to: after, of: step.change.ids)
    var lines = ["step \(number): \(step.text)"]
    lines += changes.map { "  " + $0.text }
    if changes.isEmpty { lines.append("  changed nothing") }
    return session.output(
      session.output(paragraphs: lines),
      value: .object([
        "step": .int(number), "changes": .array(changes.map(\.value)),
      ]), of: .diff)
  }

  private func recordOutput(_ path: String) async throws(Rejection) -> [String] {
    guard recording == nil else { throw .onlyShown() }
    let numbers = await stepNumbers()
    guard let timeline, timeline.hasHistory, !numbers.isEmpty else {
      throw noHistory
    }
    let isRecorded = timeline.path.map { FilePath.areSame($0, path) } ?? false
    if let part = isRecorded ? "the file that '--record' writes" : current.part(at: path) {
      throw .notRecorded(SafeText.line(path), reason: "it is \(part); name another file")
    }
    do throws(RecordingFileRefusal) {
      try timeline.save(to: path)
    } catch {
      throw .notRecorded(SafeText.line(path), reason: "\(error)")
    }
    let text =
      "\(numbers.count) step\(numbers.count == 1 ? "" : "s") in \(SafeText.line(shellWord(path)))"
    return session.output(
      session.output(paragraphs: [text]),
      value: .object(["file": .string(path), "steps": .int(numbers.count)]), of: .record)
  }

  /// Adds a line that is about to be carried out to the timeline.
  ///
  /// - Parameters:
  ///   - words: the line, without secrets.
  ///   - number: its number in a script; `nil` for a line that a person typed.
  ///   - script: returns the equivalent lines of a script; `nil` if none can be written, as for a
  ///     secret.
  func noteForTimeline(_ words: @autoclosure () -> String, _ number: Int?, script: () -> [String]?)
  {
    guard let timeline else { return }
    timeline.note(RecordedStep.Line(words(), number: number, script: script()))
  }
}

extension RecordedStep {
  /// The line that led to the step, and the paths that it changed.
  fileprivate var notes: [LogDrawing.Note] {
    var notes = lines.last.map { [LogDrawing.Note("after the line: " + $0.text)] } ?? []
    if skipped > 0 {
      let steps = skipped == 1 ? "1 step before it was" : "\(skipped) steps before it were"
      notes.append(LogDrawing.Note(steps + " not kept"))
    }
    let paths = changedPaths
    guard !paths.isEmpty else { return notes }
    let limit = 4
    let more = paths.count > limit ? ", and \(paths.count - limit) more" : ""
    notes.append(LogDrawing.Note("changed " + paths.prefix(limit).joined(separator: ", ") + more))
    return notes
  }

  /// The paths and instances that the step changed, as texts.
  private var changedPaths: [String] {
    change.instances.flatMap { change -> [String] in
      switch change {
      case .whole(let instance): ["\(instance.node) #\(instance.id)"]
      case .state(_, let edits): edits.map { $0.pathText.isEmpty ? "all" : $0.pathText }
      }
    } + change.removed.map { "#\($0) is gone" }
  }

  /// The step as an object of the output for programs.
  fileprivate var value: Value {
    var fields: [String: Value] = [
      "number": .int(number), "seconds": .double(Double(time) / 1e6),
      "origin": .string(origin.rawValue), "text": .string(text),
      "microseconds": .double(Double(duration) / 1000),
      "changed": .array(changedPaths.map { .string($0) }),
    ]
    if let line = lines.last { fields["line"] = .string(line.text) }
    if let node { fields["node"] = .string(node) }
    if let instance { fields["instance"] = .string("\(instance)") }
    if skipped > 0 { fields["skipped"] = .int(skipped) }
    return .object(fields)
  }
}

extension FieldChange {
  /// The change on one line.
  package var text: String {
    let place = owner + (path.isEmpty ? "" : " \(path)")
    switch (before, after) {
    case (nil, let after?): return "\(place): new: \(after)"
    case (let before?, nil): return "\(place): gone: \(before)"
    default: return "\(place): \(before ?? .null) → \(after ?? .null)"
    }
  }

  /// The change as an object of the output for programs.
  package var value: Value {
    var fields: [String: Value] = ["path": .string(path)]
    if let instance {
      fields["instance"] = .string("\(instance)")
      fields["node"] = .string(node)
    }
    if let before { fields["before"] = before }
    if let after { fields["after"] = after }
    return .object(fields)
  }
}
