internal import AppCheck
internal import AppCore
internal import Navigation
internal import Sessions
internal import Shell

// The output of `:log` and `:explain`.
extension App {
  /// The number of entries that `:log` shows.
  private static let shownEntries = 50

  /// The output of `:log`.
  func logOutput(_ query: LogQuery) -> [String] {
    switch query {
    case .latest: logOutput(toldRecords().suffix(Self.shownEntries))
    case .slow(let limit):
      logOutput(
        toldRecords().filter { $0.origin != .line && $0.duration >= limit },
        without: "No action of the latest \(ActionLog.limit) entries took that long.")
    case .times: timesOutput()
    }
  }

  private func logOutput(
    _ records: some Collection<ActionRecord>, without text: String = ""
  ) -> [String] {
    let secrets = knownSecrets
    return session.output(
      records.isEmpty
        ? session.output(paragraphs: [text])
        : LogDrawing(records.map { $0.drawing(without: secrets) }).lines(
          width: session.settings.width, style: session.settings.textStyle),
      value: secrets.redact(.array(records.map(\.value))), of: .log)
  }

  /// All secrets of the app, which are in no text that commands print.
  var knownSecrets: SecretTexts {
    secrets.add(given: current.givenSecrets)
    return secrets
  }

  /// The output of `:log --times`.
  private func timesOutput() -> [String] {
    let rows = log.times.entries.map { entry in
      TimesDrawing.Row(
        action: entry.action, count: entry.count, total: Double(entry.total) / 1000,
        mean: entry.mean / 1000, longest: Double(entry.longest) / 1000)
    }
    return session.output(
      TimesDrawing(rows).lines(
        width: session.settings.width, style: session.settings.textStyle),
      value: .array(
        rows.map { row in
          .object([
            "action": .string(row.action), "count": .int(row.count),
            "totalMicroseconds": .double(row.total), "meanMicroseconds": .double(row.mean),
            "longestMicroseconds": .double(row.longest),
          ])
        }), of: .log)
  }

  /// The output of `:explain`: why the last line was rejected or the last action dropped, and the
  /// entries of the log that led to it.
  func explainOutput() -> [String] {
    let records = toldRecords()
    guard let end = records.lastIndex(where: \.failed) else {
      let text = "Nothing was refused or dropped lately."
      return session.output(
        [text], value: .object(["code": .null, "text": .string(text), "chain": .array([])]),
        of: .explain)
    }
    let start = records[...end].lastIndex { $0.origin == .line } ?? max(0, end - 20)
    let chain = Array(records[start...end])
    let record = records[end]
    let secrets = knownSecrets
    let code = record.code ?? record.failure?.failure?.code ?? ""
    let reason = record.refusal ?? record.failure?.failure?.reason ?? ""
    var lines = session.output(
      paragraphs: [secrets.redact(Self.headline(record) + ": " + reason) + " [\(code)]"]
        + (Explanation.remedy(of: code).map { [$0] } ?? []))
    if chain.count > 1 || record.origin != .line {
      lines += ["", "How it came to that:"]
      lines += LogDrawing(chain.map { $0.drawing(without: secrets) }).lines(
        width: session.settings.width, style: session.settings.textStyle)
    }
    return session.output(
      lines,
      value: .object([
        "code": .string(code), "text": .string(secrets.redact(reason)),
        "remedy": Explanation.remedy(of: code).map { .string($0) } ?? .null,
        "chain": secrets.redact(.array(chain.map(\.value))),
      ]), of: .explain)
  }

  /// The output of `:explain CODE`: the text that `appcore explain CODE` prints, or details of the
  /// last crash for the code `crash`.
  func explainOutput(of code: String) throws(UnknownCode) -> [String] {
    let code = Explanation.withoutBrackets(code)
    if code == "crash" { return crashOutput() }
    let text = try Explanation.text(of: code)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return session.output(
      lines.map(String.init), value: .object(["code": .string(code), "text": .string(text)]),
      of: .explain)
  }

  /// The output of `:explain crash`: all that is known about the last crash.
  private func crashOutput() -> [String] {
    let lines = appSession?.crashDetails ?? ["Nothing has crashed."]
    return session.output(
      lines,
      value: .object(["code": "crash", "text": .string(lines.joined(separator: "\n"))]),
      of: .explain)
  }

  /// The entries of the log, without those of navigation that repeat the rejection of their line.
  private func toldRecords() -> [ActionRecord] {
    var code: String?
    return actionRecords().filter { record in
      if record.origin == .line { code = record.code }
      guard let code, record.origin == .navigation, case .person = record.events.last?.origin else {
        return true
      }
      return record.failure?.failure?.code != code
    }
  }

  private static func headline(_ record: ActionRecord) -> String {
    if record.refusal != nil {
      guard let line = record.line else { return "'\(record.text)' was refused" }
      return "line \(line), '\(record.text.dropFirst("line \(line): ".count))', was refused"
    }
    guard let event = record.failure else { return "Nothing happened" }
    let what: String
    switch event.origin {
    case .app: what = "The start"
    case .person(let command): what = "':\(command)'"
    case .instance(_, let node, let action): what = "'\(action)' of '\(node)'"
    case .formerInstance: what = "An action of an instance that is gone"
    }
    if event.isDrop { return what + " reached nobody" }
    return what + " changed nothing"
  }
}

extension ActionRecord {
  fileprivate func drawing(without secrets: SecretTexts) -> LogDrawing.Entry {
    let owner = node.map { "\($0) #\(instance ?? "")" } ?? instance.map { "#\($0)" } ?? ""
    var notes = events.map {
      LogDrawing.Note(secrets.redact($0.text), isFailure: $0.failure != nil)
    }
    if let refusal, let code {
      notes.append(
        LogDrawing.Note("refused: \(secrets.redact(refusal)) [\(code)]", isFailure: true))
    }
    return LogDrawing.Entry(
      origin: origin.rawValue, owner: owner, text: secrets.redact(text),
      microseconds: origin == .line ? nil : microseconds, notes: notes)
  }

  private var microseconds: Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
  }

  /// The record as a value, for programs.
  fileprivate var value: Value {
    var fields: [String: Value] = [
      "number": .int(number), "origin": .string(origin.rawValue),
      "text": .string(String(text.prefix(1000))),
    ]
    if origin != .line { fields["microseconds"] = .double(microseconds) }
    if let instance { fields["instance"] = .string(instance) }
    if let node { fields["node"] = .string(node) }
    if let refusal, let code {
      fields["error"] = .object(["code": .string(code), "text": .string(refusal)])
    }
    if !events.isEmpty {
      fields["events"] = .array(
        events.map { event in
          var entry: [String: Value] = ["text": .string(event.text)]
          if let code = event.failure?.code { entry["code"] = .string(code) }
          return .object(entry)
        })
    }
    return .object(fields)
  }
}
