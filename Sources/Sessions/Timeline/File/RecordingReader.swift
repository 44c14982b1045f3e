internal import Glibc
internal import Navigation
internal import Support

/// Reads an untrusted recording, step by step.
///
/// Each step is validated as it is read: its syntax, its number, and whether its changes can be
/// applied. Reading ends at the first fault, which is then the ``RecordingFacts/problem``; the steps
/// before it are valid.
///
/// ```swift
/// let reader = try RecordingReader(path: "bug.recording")
/// while let step = reader.next() { print(step.number, step.text, reader.moment.instances.count) }
/// ```
package final class RecordingReader {
  package static let lineLimit = 64 << 20
  /// The limit of slots: a damaged recording must not allocate memory for billions of them.
  private static let slotLimit: UInt64 = 1 << 20

  package let path: String
  package let header: RecordingHeader
  /// The app after the last step that was read.
  package private(set) var moment = AppMoment()
  /// The number of the last step or keyframe that was read; 0 before the first.
  package private(set) var stepNumber = 0
  /// The app before the last step that was read.
  ///
  /// `nil` unless it was requested, or a keyframe differed from the app after the previous step.
  package private(set) var former: AppMoment?
  package private(set) var facts = RecordingFacts()

  private var lines: LineReader
  private let descriptor: Int32
  private var lineNumber = 1
  private var hasBegun = false
  private var hasSteps = false
  private var needsFormer = false
  /// The instances of ``moment`` by their slots, each of which can hold one instance.
  private var slots: [UInt64: InstanceID] = [:]
  /// Whether the last byte of the file ends a line.
  private let endsWithLine: Bool

  /// Opens a recording and reads its header.
  ///
  /// - Throws: why the file can't be opened, or is not a recording of this format.
  package init(
    path: String, lineLimit: Int = RecordingReader.lineLimit
  ) throws(RecordingProblem) {
    self.path = path
    func problem(_ cause: Rejection) -> RecordingProblem {
      RecordingProblem(path: path, line: 1, cause: cause)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw problem(.unreadable(SystemError(errno))) }
    guard let status = Descriptor.status(descriptor), status.isRegular else {
      close(descriptor)
      throw problem(.unreadable("it is not a file"))
    }
    var last: UInt8 = 0
    endsWithLine = pread(descriptor, &last, 1, status.st_size - 1) == 1 && last == 0x0a
    lines = LineReader(descriptor: descriptor, stoppingAt: lineLimit)
    do throws(Rejection) {
      header = try RecordingHeader(lines.nextLine() ?? [])
    } catch {
      close(descriptor)
      throw problem(error)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads the next step and applies it to ``moment``.
  ///
  /// - Parameter keepsFormer: whether to set ``former`` to the app before the step.
  /// - Returns: the step; `nil` at the end of the file or at a fault.
  package func next(keepsFormer: Bool = false) -> RecordedStep? {
    guard facts.problem == nil else { return nil }
    former = nil
    needsFormer = keepsFormer
    do throws(Rejection) {
      while let line = try nextLine() {
        if let step = try apply(line) { return step }
      }
    } catch {
      facts.problem = RecordingProblem(path: path, line: lineNumber, cause: error)
    }
    return nil
  }

  private func nextLine() throws(Rejection) -> RecordingLine? {
    lineNumber += 1
    guard let bytes = try lines.nextLine() else { return nil }
    do throws(Rejection) {
      return try RecordingLine(bytes)
    } catch {
      if !endsWithLine, !lines.hasLine, (try? lines.next()) == .end {
        throw Rejection(.cutRecording, "the recording stops within this line")
      }
      throw error
    }
  }

  private func reportAlteration() {
    facts.alteration =
      facts.alteration
      ?? RecordingProblem(
        path: path, line: lineNumber,
        cause: Rejection(.alteredRecording, "the line is not what was recorded"))
  }

  private func occupySlot(of id: InstanceID) throws(Rejection) {
    guard id.slot < Self.slotLimit else {
      throw .impossible("it has more instances than an app can have")
    }
    guard slots.updateValue(id, forKey: id.slot) ?? id == id else {
      throw .impossible("the place of the instance \(id) is taken")
    }
  }

  /// Applies a line.
  ///
  /// - Returns: the step; `nil` if the line is another one.
  private func apply(_ line: RecordingLine) throws(Rejection) -> RecordedStep? {
    switch line {
    case .keyframe(let step, let moment):
      guard step == stepNumber || !hasBegun else { throw .order(step + 1, after: stepNumber) }
      hasBegun = true
      stepNumber = step
      // As they are written, since a number that is none does not equal itself.
      if self.moment != moment, self.moment.whole.fields != moment.whole.fields {
        needsFormer = true
        // After a crash the instances have new numbers, so the keyframe is empty.
        if hasSteps, !moment.instances.isEmpty { reportAlteration() }
      }
      self.moment = moment
      slots = [:]
      for id in moment.instances.keys { try occupySlot(of: id) }
    case .step(let step):
      guard step.number == stepNumber + 1 else { throw .order(step.number, after: stepNumber) }
      if needsFormer { former = moment }
      for id in step.change.removed {
        guard slots[id.slot] == id else {
          throw .impossible("it removes the instance \(id), which does not exist")
        }
        slots[id.slot] = nil
      }
      for instance in step.change.wholeInstances { try occupySlot(of: instance.id) }
      if let reason = moment.apply(step.change) { throw .impossible(reason) }
      (hasBegun, hasSteps) = (true, true)
      stepNumber = step.number
      facts.hasEnd = false
      if let build = step.build { facts.builds.append((step.number, build)) }
      if step.isAltered { reportAlteration() }
      return step
    case .crash(let crash):
      facts.hasEnd = true
      // A second line about the same crash says more.
      if facts.crashes.last?.after == stepNumber { facts.crashes.removeLast() }
      facts.crashes.append((stepNumber, crash))
    case .end: facts.hasEnd = true
    }
    return nil
  }
}

extension Rejection {
  fileprivate static func unreadable(_ reason: some CustomStringConvertible) -> Rejection {
    Rejection(.unreadableRecording, "the recording can't be read: \(reason)")
  }

  fileprivate static func order(_ number: Int, after last: Int) -> Rejection {
    Rejection(
      .brokenOrder,
      "step \(number) comes after step \(last); step \(last + 1) is expected here")
  }

  fileprivate static func impossible(_ reason: String) -> Rejection {
    Rejection(.impossibleChange, "the step can't be applied: \(reason)")
  }
}

extension InstanceID {
  /// The number of its place in the app's table, which can hold one instance.
  fileprivate var slot: UInt64 { number >> 32 }
}

extension LineReader {
  /// Creates a reader that stops within a line that is too long.
  fileprivate init(descriptor: Int32, stoppingAt limit: Int) {
    // The number of bytes since the last newline.
    var length = 0
    self.init(limit: limit) { count throws(InputOutputError) in
      guard length <= limit else { return [] }
      let bytes = try Descriptor.read(descriptor, atMost: count)
      let newline = bytes.lastIndex(of: 0x0a)
      length = newline.map { bytes.count - 1 - $0 } ?? length + bytes.count
      return bytes
    }
  }

  fileprivate mutating func nextLine() throws(Rejection) -> [UInt8]? {
    let event: Event
    do throws(InputOutputError) {
      event = try next()
    } catch {
      throw .unreadable(error)
    }
    switch event {
    case .end: return nil
    case .line(let bytes): return bytes
    case .tooLong(let limit):
      throw Rejection(.longRecordingLine, "the line is longer than \(limit >> 20) MiB")
    }
  }
}

/// What a recording says besides its steps, as far as it was read.
package struct RecordingFacts: Sendable {
  /// The crashes, each with the number of the last step before it.
  package var crashes: [(after: Int, crash: RecordedCrash)] = []
  /// The later builds of the app, each with the number of its first step.
  package var builds: [(first: Int, header: RecordingHeader)] = []
  /// Whether it says how the app ended, by itself or by a crash.
  package var hasEnd = false
  /// Why the rest of the file can't be read; `nil` if there is no fault so far.
  package var problem: RecordingProblem?
  /// The first line that was edited after it was written; reading continues after it.
  package var alteration: RecordingProblem?

  package init() {}
}

/// A recording in memory, with all of its steps that can be read.
package struct Recording: Sendable {
  package let path: String
  package let header: RecordingHeader
  package let facts: RecordingFacts
  private var history = StepHistory(limit: nil)

  /// Reads a recording up to the first line that can't be read.
  ///
  /// - Throws: why not even the header can be read.
  package init(path: String) throws(RecordingProblem) {
    let reader = try RecordingReader(path: path)
    while let step = reader.next(keepsFormer: history.needsKeyframe) {
      history.append(
        step.number, StepHistory.Line(.step(step)),
        keyframe: reader.former.map { StepHistory.Line(.keyframe(step: step.number - 1, $0)) })
    }
    (self.path, header, facts) = (path, reader.header, reader.facts)
  }

  package func build(at step: Int) -> RecordingHeader {
    facts.builds.last { $0.first <= step }?.header ?? header
  }

  package var numbers: Range<Int> { history.numbers }

  package func step(_ number: Int) -> RecordedStep? { history.step(number) }

  /// Whether a keyframe precedes a step, which may differ from the app after the previous step.
  package func beginsGroup(_ number: Int) -> Bool { history.beginsGroup(number) }

  /// The app after a step, or before the first one; `nil` if there is no such step.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes since the last keyframe.
  package func moment(after number: Int) -> AppMoment? { history.moment(after: number) }
}
