import AppCore
import Foundation
import Sessions
import Support
import TestSupport
import Testing

/// What is said of recordings that were changed is in `Tests/Transcripts/recording/damaged.md`.
@Suite("Reading recordings")
struct RecordingReaderTests {
  private let header = RecordingHeader(
    app: "counter", manifest: .init(path: "counter.yaml", digest: "", text: ""), plugins: [],
    variables: ["a": "b"],
    nodes: [SessionIdentity.Node(name: "counter", feature: "Mock.Counter")], begun: 1)

  /// The lines of a recording of an app that counts.
  private func lines(_ count: Int) -> [String] {
    var lines = [header.text]
    for number in 1...count {
      var step = RecordedStep(
        number: number, time: number, duration: 5, origin: .screen, node: "counter", instance: 0,
        text: ".view(.addTapped)", action: ["view": "addTapped"])
      step.lines = [RecordedStep.Line("@add", number: number, script: ["@add"])]
      step.digest = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
      let state: Value = ["count": .int(number)]
      step.change.instances =
        number == 1
        ? [
          .whole(
            SavedInstance(
              id: 0, node: "counter", arguments: ["from": 1], presenter: nil,
              place: .layer(over: nil), selectedTab: nil, order: 1, state: .value(state)))
        ] : [.state(0, [ValueEdit([.field("count")], .set(.int(number)))])]
      lines.append(RecordingLine.step(step).text)
    }
    return lines
  }

  /// What is read of a file: the steps, the problem, and whether it could be opened.
  private func read(
    _ text: String, lineLimit: Int = RecordingReader.lineLimit
  ) throws -> (steps: Int, problem: RecordingProblem?, refusal: RecordingProblem?) {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a.recording")
    try Data(text.utf8).write(to: file)
    do throws(RecordingProblem) {
      let reader = try RecordingReader(path: file.path, lineLimit: lineLimit)
      var count = 0
      while reader.next() != nil { count += 1 }
      return (count, reader.facts.problem, nil)
    } catch {
      return (0, nil, error)
    }
  }

  @Test("All steps are read as they were written")
  func whole() throws {
    let lines = lines(50)
    let folder = try TemporaryFolder()
    let file = try folder.write("a.recording", lines.joined(separator: "\n") + "\n")
    let reader = try RecordingReader(path: file.path)
    #expect(reader.header == header)
    var texts: [String] = []
    while let step = reader.next() { texts.append(RecordingLine.step(step).text) }
    #expect(texts == Array(lines.dropFirst()))
    #expect(reader.moment.instances[0]?.state.value == ["count": 50])
    #expect(reader.facts.problem == nil)
    let recording = try Recording(path: file.path)
    #expect(recording.numbers == 1..<51)
    #expect(recording.moment(after: 17)?.instances[0]?.state.value == ["count": 17])
  }

  @Test("A recording that 0.2 has written is read, and none of its lines is altered")
  func former() throws {
    let text = #"""
      {"app":"counter","begun":1,"compiler":"6.3.1","manifest":{"digest":"3d72","path":"counter.yaml","text":""},"nodes":[["counter","MockSlow.Counter"]],"plugins":[{"digest":"55d3","interface":{},"name":"MockSlow","version":"1.0.0"}],"recording":1,"secrets":[],"variables":{},"version":"0.2.0"}
      {"n":1,"t":1104,"d":190634,"o":"n","x":"the start of the app","a":"begin","h":"1i1uvqqfdxoze","c":[{"i":"0.0","n":"counter","o":1,"s":{"count":0}}],"s":"1cwlkm5ifvkub"}
      {"n":2,"t":17510,"d":12558,"l":[{"x":"@add","n":1}],"o":"s","i":"0.0","m":"counter","x":".view(.addTapped)","a":{"view":"addTapped"},"h":"2us8wuzn69ozp","c":[{"i":"0.0","d":[[["count"],1]]}],"s":"2xrpu9mhysggm"}
      {"k":2,"c":[{"i":"0.0","n":"counter","o":1,"s":{"count":1}}]}
      {"n":3,"t":17809,"d":4226,"l":[{"x":"@add","n":2}],"o":"s","i":"0.0","m":"counter","x":".view(.addTapped)","a":{"view":"addTapped"},"h":"2w6i6jzf4gl30","c":[{"i":"0.0","d":[[["count"],2]]}],"s":"b5wz24l7sh8k"}
      {"n":4,"t":19048,"d":45468,"o":"n","x":"the end of the app","a":"end","h":"2w4ktw783paew","s":"12kz01cxjwev2"}
      {"end":true}

      """#
    let folder = try TemporaryFolder()
    let reader = try RecordingReader(path: folder.write("a.recording", text).path)
    #expect(reader.header.plugins.map(\.name) == ["MockSlow"])
    var steps: [String] = []
    while let step = reader.next() { steps.append(step.text) }
    #expect(steps.count == 4)
    #expect(reader.moment.instances[0]?.state.value == ["count": 2])
    #expect(reader.facts.problem == nil)
    #expect(reader.facts.alteration == nil)
    #expect(reader.facts.hasEnd)
  }

  @Test("A file that is cut anywhere is opened as far as it goes")
  func cut() throws {
    let text = lines(6).joined(separator: "\n") + "\n"
    let headerLength = header.text.utf8.count
    for length in stride(from: headerLength + 1, to: text.utf8.count, by: 7) {
      let part = String(decoding: Array(text.utf8)[..<length], as: UTF8.self)
      let (steps, problem, refusal) = try read(part)
      #expect(refusal == nil)
      // A last line that lacks only its newline is read, too.
      let rows = part.split(separator: "\n").map(String.init)
      let isWhole = text.split(separator: "\n").map(String.init).starts(with: rows)
      #expect(steps == rows.count - (isWhole ? 1 : 2), "\(length)")
      #expect(problem?.cause.rule == (isWhole ? nil : .cutRecording), "\(length)")
    }
    #expect(try read(String(header.text.prefix(40))).refusal?.cause.rule == .notARecording)
    #expect(try read("").refusal?.cause.rule == .notARecording)
  }

  /// The line that was edited, as a reader that reads all steps tells it; `nil` for none.
  private func alteration(of lines: [String], steps: Int = 6) throws -> Int? {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.recording", lines.joined(separator: "\n") + "\n")
    let reader = try RecordingReader(path: file.path)
    var count = 0
    while reader.next() != nil { count += 1 }
    #expect(count == steps)
    #expect(reader.facts.problem == nil)
    return reader.facts.alteration?.line
  }

  @Test("A state, an action or arguments that were edited contradict the line's digest")
  func altered() throws {
    let lines = lines(6)
    #expect(try alteration(of: lines) == nil)
    func editing(_ index: Int, _ old: String, _ new: String) throws -> Int? {
      var edited = lines
      #expect(edited[index].contains(old))
      edited[index] = edited[index].replacing(old, with: new)
      return try alteration(of: edited)
    }
    #expect(try editing(3, #"[["count"],3]"#, #"[["count"],7]"#) == 4)
    #expect(try editing(3, #""a":{"view":"addTapped"}"#, #""a":{"view":"clearTapped"}"#) == 4)
    #expect(try editing(1, #"{"from":1}"#, #"{"from":2}"#) == 2)
    #expect(try editing(2, #""m":"counter""#, #""m":"other""#) == 3)
    // Who shortens a text has not changed what is checked.
    #expect(try editing(2, #""x":"@add""#, #""x":"…""#) == nil)
    // Neither has a program that writes the fields in another order.
    var reversed = lines
    for index in 1...6 {
      guard case .object(let fields) = try Value(json: lines[index]) else { continue }
      let texts = fields.sorted { $0.key > $1.key }.map { "\"\($0.key)\":\($0.value.json)" }
      reversed[index] = "{\(texts.joined(separator: ","))}"
    }
    #expect(reversed != lines)
    #expect(try alteration(of: reversed) == nil)
  }

  @Test("All of the app after a step has to be what the steps before it have led to")
  func alteredKeyframe() throws {
    var lines = lines(6)
    var moment = AppMoment()
    moment.instances[0] = SavedInstance(
      id: 0, node: "counter", arguments: ["from": 1], presenter: nil, place: .layer(over: nil),
      selectedTab: nil, order: 1, state: .value(["count": 3]))
    lines.insert(RecordingLine.keyframe(step: 3, moment).text, at: 4)
    #expect(try alteration(of: lines) == nil)
    moment.instances[0] = moment.instances[0]?.with(.value(["count": 4]))
    lines[4] = RecordingLine.keyframe(step: 3, moment).text
    #expect(try alteration(of: lines) == 5)
    // After a crash the instances have other numbers.
    lines[4] = RecordingLine.keyframe(step: 3, AppMoment()).text
    lines[5] = lines[1].replacing(#""n":1,"#, with: #""n":4,"#)
    #expect(try alteration(of: lines) == 6)
  }

  @Test("A number that is none is the same number after it was read")
  func notANumber() throws {
    let state: Value = ["count": .double(.nan)]
    let instance = SavedInstance(
      id: 0, node: "counter", arguments: ["from": 1], presenter: nil, place: .layer(over: nil),
      selectedTab: nil, order: 1, state: .value(state))
    var step = RecordedStep(
      number: 1, time: 1, duration: 5, origin: .screen, node: "counter", instance: 0,
      text: ".view(.measured)", action: ["view": ["measured": .double(.infinity)]])
    step.change.instances = [.whole(instance)]
    let keyframe = RecordingLine.keyframe(step: 1, AppMoment([instance])).text
    let lines = [header.text, RecordingLine.step(step).text, keyframe]
    #expect(try alteration(of: lines, steps: 1) == nil)
    guard
      case .step(let read) = try RecordingLine(Array(RecordingLine.step(step).text.utf8))
    else {
      Issue.record("it is no step")
      return
    }
    #expect(read.action == step.action)
  }

  @Test("A line of more bytes than any state is reported, not read")
  func long() throws {
    var lines = lines(3)
    lines[2] = lines[2].replacing(
      "addTapped", with: String(repeating: "a", count: 1 << 20))
    let (steps, problem, _) = try read(
      lines.joined(separator: "\n") + "\n", lineLimit: 1 << 20)
    #expect(steps == 1)
    #expect(problem?.cause.message == "the line is longer than 1 MiB")
  }

  @Test("Random damage never ends the reader")
  func fuzz() throws {
    var random = SplitMix64(seed: 11)
    let bytes = Array((lines(12).joined(separator: "\n") + "\n").utf8)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        damaged[index] = UInt8.random(in: .min ... .max, using: &random)
      }
      let (steps, problem, refusal) = try read(String(decoding: damaged, as: UTF8.self))
      // What is not read is said.
      #expect(steps == 12 || problem != nil || refusal != nil)
    }
  }

  @Test("A step that removes an instance in another one's slot is refused")
  func otherGeneration() throws {
    var step = RecordedStep(number: 3, origin: .navigation, text: ":back")
    step.change.removed = [7]
    let (steps, problem, _) = try read(
      (lines(2) + [RecordingLine.step(step).text]).joined(separator: "\n") + "\n")
    #expect(steps == 2)
    #expect(
      problem?.cause.message
        == "the step can't be applied: it removes the instance 0.7, which does not exist")
  }

  @Test("Whose code has ended the app is read, what is known last")
  func crash() throws {
    var lines = lines(2)
    lines.append(RecordingLine.crash(RecordedCrash(fields: ["cause": "SIGILL"])).text)
    lines.append(
      RecordingLine.crash(
        RecordedCrash(fields: ["cause": "SIGILL", "feature": "A.B", "call": "reduce"])
      ).text)
    let folder = try TemporaryFolder()
    let file = try folder.write("a.recording", lines.joined(separator: "\n") + "\n")
    let recording = try Recording(path: file.path)
    #expect(recording.facts.crashes.count == 1)
    #expect(recording.facts.crashes.first?.after == 2)
    #expect(recording.facts.crashes.first?.crash.text == "ended by 'A.B' in reduce: SIGILL")
  }
}
