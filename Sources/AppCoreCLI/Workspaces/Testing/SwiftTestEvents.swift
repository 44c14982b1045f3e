internal import AppCore
internal import Support

/// The tests of one `swift test`, read from Swift Testing's event stream, which is JSON Lines.
struct SwiftTestEvents {
  /// The tests, in the order in which they ended.
  private(set) var tests: [TestReport.Test] = []

  private var names: [String: String] = [:]
  private var starts: [String: Double] = [:]
  private var issues: [String: [String]] = [:]

  /// Reads events, and ignores other lines: the last line of a process that crashed is incomplete.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let event = try? Value(json: String(line)), let payload = event["payload"] else {
        continue
      }
      switch event["kind"]?.text {
      case "test": addTest(payload)
      case "event": add(payload)
      default: break
      }
    }
    // The process crashed in a test that has started and not ended.
    for id in starts.keys.sorted() {
      tests.append(
        TestReport.Test(
          name: names[id] ?? id,
          outcome: .failed("the tests' process ended in this test"), duration: .zero))
    }
  }

  private mutating func addTest(_ test: Value) {
    guard test["kind"]?.text == "function", let id = test["id"]?.text else { return }
    names[id] = test["displayName"]?.text ?? test["name"]?.text ?? id
  }

  private mutating func add(_ event: Value) {
    guard let id = event["testID"]?.text, let name = names[id] else { return }
    let now = event["instant"]?["absolute"]?.seconds ?? 0
    switch event["kind"]?.text {
    case "testStarted": starts[id] = now
    case "issueRecorded":
      guard event["issue"]?["isKnown"] != .bool(true) else { return }
      issues[id, default: []].append(Self.text(of: event))
    case "testSkipped":
      starts[id] = nil
      tests.append(TestReport.Test(name: name, outcome: .skipped, duration: .zero))
    case "testEnded":
      let duration = now - (starts.removeValue(forKey: id) ?? now)
      let failures = issues[id] ?? []
      tests.append(
        TestReport.Test(
          name: name,
          outcome: failures.isEmpty ? .passed : .failed(failures.joined(separator: "\n")),
          duration: .seconds(duration)))
    default: break
    }
  }

  /// The location of an issue, such as `Tests/LampsTests/CounterTests.swift:13:4: `.
  private static func text(of event: Value) -> String {
    var messages: [String] = []
    if case .array(let all)? = event["messages"] { messages = all.compactMap { $0["text"]?.text } }
    let text = messages.joined(separator: "\n")
    guard let location = event["issue"]?["sourceLocation"], let file = location["fileID"]?.text,
      case .int(let line)? = location["line"]
    else { return text }
    return "\(file):\(line): \(text)"
  }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var seconds: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }
}
