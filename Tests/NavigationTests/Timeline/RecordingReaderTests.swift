import AppCore
import Foundation
import Sessions
import Support
import TestSupport
import Testing

@Suite("Reading recordings")
struct RecordingReaderTests {
  private let header = RecordingHeader(
    version: "1.0.0", compiler: "6.3", app: "counter", manifest: "counter.yaml", manifestText: "",
    manifestDigest: "", plugins: [], variables: ["a": "b"],
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
      return (count, reader.problem, nil)
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
    #expect(reader.moment.instances[0]?.stateValue == ["count": 50])
    #expect(reader.problem == nil)
    let recording = try Recording(path: file.path)
    #expect(recording.numbers == 1..<51)
    #expect(recording.moment(after: 17)?.instances[0]?.stateValue == ["count": 17])
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
      #expect(problem?.fault == (isWhole ? nil : .cut), "\(length)")
    }
    #expect(try read(String(header.text.prefix(40))).refusal?.fault == .foreign)
    #expect(try read("").refusal?.fault == .foreign)
  }

  @Test("Other files, newer formats and damaged headers are refused")
  func headers() throws {
    #expect(try read("appcore: 1\nname: a\n").refusal?.fault == .foreign)
    let newer = header.text.replacing(#""recording":1"#, with: #""recording":2"#)
    #expect(try read(newer + "\n").refusal?.fault == .otherFormat(2))
    let noApp = header.text.replacing(#""app":"counter","#, with: "")
    guard case .header? = try read(noApp + "\n").refusal?.fault else {
      Issue.record("a header without an app is read")
      return
    }
    guard case .unreadable? = Self.fault(opening: "/nowhere/a") else {
      Issue.record("a missing file is read")
      return
    }
  }

  private static func fault(opening path: String) -> RecordingFault? {
    do throws(RecordingProblem) {
      _ = try RecordingReader(path: path)
      return nil
    } catch {
      return error.fault
    }
  }

  @Test("A line that was edited is reported with its number, and what comes before it counts")
  func edited() throws {
    let lines = lines(6)
    func with(_ index: Int, _ line: String) throws -> (Int, RecordingProblem?) {
      var edited = lines
      edited[index] = line
      let (steps, problem, _) = try read(edited.joined(separator: "\n") + "\n")
      return (steps, problem)
    }
    let faults: [(String, (RecordingFault?) -> Bool)] = [
      ("nonsense", { if case .line? = $0 { true } else { false } }),
      ("[]", { if case .line? = $0 { true } else { false } }),
      ("{}", { if case .line? = $0 { true } else { false } }),
      ("{\"n\":-4}", { if case .line? = $0 { true } else { false } }),
      (
        lines[3].replacing(#""n":3,"#, with: #""n":5,"#), { $0 == .order(5, after: 2) }
      ),
      (lines[2], { $0 == .order(2, after: 2) }),
      (
        lines[3].replacing(#"["count"]"#, with: #"["cuont","x"]"#),
        { if case .change? = $0 { true } else { false } }
      ),
      (
        lines[3].replacing(#"{"i":"0.0","d""#, with: #"{"i":"7.0","d""#),
        { if case .change? = $0 { true } else { false } }
      ),
      (
        String(repeating: "[", count: 1_000_000),
        { if case .line? = $0 { true } else { false } }
      ),
      (
        #"{"k":9223372036854775807,"c":[]}"#, { if case .line? = $0 { true } else { false } }
      ),
      (
        lines[3].replacing(#""n":3,"#, with: #""n":9223372036854775807,"#),
        { if case .line? = $0 { true } else { false } }
      ),
      (
        lines[3].dropLast() + #","r":[[-9223372036854775808,0]]}"#,
        { if case .line? = $0 { true } else { false } }
      ),
      (
        lines[3].replacing(
          #"["count"]"#,
          with: "[" + Array(repeating: "\"a\"", count: 2000).joined(separator: ",") + "]"),
        { if case .line? = $0 { true } else { false } }
      ),
      (
        lines[1].replacing(#""n":1,"#, with: #""n":3,"#).replacing(
          #""i":"0.0""#, with: #""i":"0.1""#),
        { if case .change? = $0 { true } else { false } }
      ),
    ]
    for (line, isExpected) in faults {
      let (steps, problem) = try with(3, line)
      #expect(isExpected(problem?.fault), "\(line.prefix(60)): \(String(describing: problem))")
      if let problem {
        #expect(steps == 2)
        #expect(problem.line == 4)
        #expect(!problem.fault.finding.message.isEmpty)
      }
    }
  }

  /// The line that was edited, as a reader that reads all steps tells it; `nil` for none.
  private func alteration(of lines: [String]) throws -> Int? {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.recording", lines.joined(separator: "\n") + "\n")
    let reader = try RecordingReader(path: file.path)
    var count = 0
    while reader.next() != nil { count += 1 }
    #expect(count == 6)
    #expect(reader.problem == nil)
    return reader.alteration?.line
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
    #expect(try editing(2, #"{"x":"@add","#, #"{"x":"…","#) == nil)
    // Neither has a program that writes the fields in another order.
    var sorted = lines
    for index in 1...6 {
      let object = try JSONSerialization.jsonObject(with: Data(lines[index].utf8))
      sorted[index] = String(
        decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
        as: UTF8.self)
    }
    #expect(sorted != lines)
    #expect(try alteration(of: sorted) == nil)
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

  @Test("A line of more bytes than any state is reported, not read")
  func long() throws {
    var lines = lines(3)
    lines[2] = lines[2].replacing(
      "addTapped", with: String(repeating: "a", count: 1 << 20))
    let (steps, problem, _) = try read(
      lines.joined(separator: "\n") + "\n", lineLimit: 1 << 20)
    #expect(steps == 1)
    #expect(problem?.fault == .tooLong(limit: 1 << 20))
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
      problem?.fault == .change("it removes the instance 0.7, which does not exist"))
  }

  @Test("Whose code has ended the app is read, what is known last")
  func crash() throws {
    var lines = lines(2)
    lines.append(RecordingLine.end(.crashed(RecordedCrash(fields: ["cause": "SIGILL"]))).text)
    lines.append(
      RecordingLine.end(
        .crashed(RecordedCrash(fields: ["cause": "SIGILL", "feature": "A.B", "call": "reduce"]))
      )
      .text)
    let folder = try TemporaryFolder()
    let file = try folder.write("a.recording", lines.joined(separator: "\n") + "\n")
    let recording = try Recording(path: file.path)
    #expect(recording.crashes.count == 1)
    #expect(recording.crashes.first?.after == 2)
    #expect(recording.crashes.first?.crash.text == "ended by 'A.B' in reduce: SIGILL")
  }
}
