package import AppCore
internal import Glibc
internal import Navigation
package import Sessions
internal import Shell
internal import Support

// Carrying out `:timeline` and the commands that rewind.
extension Conversation {
  private static let shownSteps = 50

  /// Carries out a command of the timeline, and returns the lines to print.
  func timelineOutput(
    of command: Command, in app: isolated App
  ) async throws(Rejection) -> [String] {
    let timeline = app.timeline
    switch command {
    case .timeline: return try await listing(in: app)
    case .rewind(let count): try await rewind(by: -count, in: app)
    case .forward(let count): try await rewind(by: count, in: app)
    case .goto(let number): try await timeline.rewind(to: number, in: app)
    case .now:
      if let recording = timeline.recording {
        try await timeline.rewind(to: recording.numbers.upperBound - 1, in: app)
      } else {
        timeline.showPresent(in: app)
      }
    case .continue: try await timeline.continueFromShown(in: app)
    case .diff(let number): return try await changes(by: number, in: app)
    case .record(let path): return try await record(to: path, in: app)
    default: return []
    }
    guard let losses = timeline.rewound?.losses else { return [] }
    return session.output(paragraphs: ["It can't be shown as it was: " + losses])
  }

  private func rewind(by count: Int, in app: isolated App) async throws(Rejection) {
    let timeline = app.timeline
    let numbers = await timeline.numbers(in: app)
    guard let last = numbers.last else { throw timeline.noHistory }
    // The typed number may be close to `Int.max`.
    let (sum, overflow) = (timeline.rewound?.number ?? last).addingReportingOverflow(count)
    let number = overflow ? (count < 0 ? 0 : Int.max) : max(0, sum)
    guard number > last else { return try await timeline.rewind(to: number, in: app) }
    guard timeline.recording == nil else { throw .noSuchStep(number, in: numbers) }
    timeline.showPresent(in: app)
  }

  private func listing(in app: isolated App) async throws(Rejection) -> [String] {
    let timeline = app.timeline
    let numbers = await timeline.numbers(in: app)
    guard !numbers.isEmpty else { throw timeline.noHistory }
    let shown = timeline.rewound?.number
    let last = min((shown ?? numbers.upperBound - 1) + Self.shownSteps / 2, numbers.upperBound - 1)
    let steps = numbers.clamped(to: last - Self.shownSteps + 1..<last + 1)
      .compactMap { timeline.step($0, withoutSecrets: true) }
    let entries = steps.map { step in
      LogDrawing.Entry(
        origin: (step.number == shown ? "▸" : "") + "\(step.number)",
        owner: step.owner,
        text: step.text, microseconds: Double(step.duration) / 1000, notes: step.notes)
    }
    return session.output(
      LogDrawing(entries).lines(
        width: session.settings.width, style: session.settings.textStyle),
      value: .array(steps.map(\.value)), of: .timeline)
  }

  private func changes(
    by number: Int?, in app: isolated App
  ) async throws(Rejection) -> [String] {
    let timeline = app.timeline
    let numbers = await timeline.numbers(in: app)
    guard let last = numbers.last else { throw timeline.noHistory }
    let number = number ?? timeline.rewound?.number ?? last
    guard numbers.contains(number), let step = timeline.step(number, withoutSecrets: true),
      let before = timeline.moment(after: number - 1, withoutSecrets: true),
      let after = timeline.moment(after: number, withoutSecrets: true)
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

  private func record(
    to path: String, in app: isolated App
  ) async throws(Rejection) -> [String] {
    let timeline = app.timeline
    guard timeline.recording == nil else { throw .onlyShown }
    let numbers = await timeline.numbers(in: app)
    guard let recorder = timeline.recorder, recorder.store.options.hasHistory, !numbers.isEmpty
    else {
      throw timeline.noHistory
    }
    if let objection = app.objection(toReplacing: path, unless: RecordingFile.isRecording) {
      throw .notRecorded(SafeText.line(path), reason: objection)
    }
    do throws(SystemError) {
      try recorder.store.save(to: path)
    } catch {
      throw .notRecorded(SafeText.line(path), reason: "\(error)")
    }
    let text =
      "\(numbers.count) step\(numbers.count == 1 ? "" : "s") in \(SafeText.line(shellWord(path)))"
    return session.output(
      session.output(paragraphs: [text]),
      value: .object(["file": .string(path), "steps": .int(numbers.count)]), of: .record)
  }
}

extension App {
  /// Why a command must not replace a file, and what to do; `nil` if it may.
  ///
  /// It may replace files that begin as what it writes, and empty ones.
  func objection(
    toReplacing path: String, unless isSuch: (_ start: [UInt8]) -> Bool
  ) -> String? {
    let written = [
      (stepRecorder?.store.options.file?.path, "the file that '--record' writes"),
      (keeper.session?.file?.path, "the file of '--session'"),
      (timeline.recording?.path, "the recording that is shown"),
    ]
    let own = written.first { $0.0.map { FilePath.areSame($0, path) } ?? false }?.1
    if let part = own ?? current.part(at: path) { return "it is \(part); name another file" }
    guard let status = FilePath.status(path) else { return nil }
    if !status.isRegular {
      return "it is not a regular file; name another file"
    }
    // It is replaced by another file, which needs no permission to write to it.
    if status.st_mode & 0o222 == 0 || access(path, W_OK) != 0 {
      return "it is write-protected; name another file"
    }
    return RecordingFile.mayReplace(path, if: isSuch)
      ? nil : "there is a file that this command did not write; name another file"
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

  private var changedPaths: [String] {
    change.instances.flatMap { change -> [String] in
      switch change {
      case .whole(let instance): ["\(instance.node) #\(instance.id)"]
      case .state(_, let edits): edits.map { $0.pathText.isEmpty ? "all" : $0.pathText }
      }
    } + change.removed.map { "#\($0) is gone" }
  }

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
  package var text: String {
    let place = owner + (path.isEmpty ? "" : " \(path)")
    switch (before, after) {
    case (nil, let after?): return "\(place): new: \(after)"
    case (let before?, nil): return "\(place): gone: \(before)"
    default: return "\(place): \(before ?? .null) → \(after ?? .null)"
    }
  }

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
