internal import AppCheck
@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Shell
internal import Support

// The output of `:log` and `:explain`.
extension Conversation {
  private static let shownEntries = 50
  private static let shownChanges = 1000

  func logOutput(_ query: LogQuery, of app: isolated App) -> [String] {
    switch query {
    case .latest: logOutput(shownRecords(of: app).suffix(Self.shownEntries), of: app)
    case .slow(let limit):
      logOutput(
        shownRecords(of: app).filter { $0.origin != .line && $0.duration >= limit },
        without: "No action of the latest \(ActionLog.limit) entries took that long.", of: app)
    case .times: timesOutput(of: app)
    }
  }

  private func logOutput(
    _ records: some Collection<ActionRecord>, without text: String = "", of app: isolated App
  ) -> [String] {
    let secrets = knownSecrets(of: app)
    return session.output(
      records.isEmpty
        ? session.output(paragraphs: [text])
        : LogDrawing(records.map { $0.drawing(without: secrets) }).lines(
          width: session.settings.width, style: session.settings.textStyle),
      value: secrets.redact(.array(records.map(\.value))), of: .log)
  }

  /// All secrets of the app, which are in no text that commands print.
  func knownSecrets(of app: isolated App) -> SecretTexts {
    app.keeper.secrets.add(given: app.current.givenSecrets)
    return app.keeper.secrets
  }

  private func timesOutput(of app: isolated App) -> [String] {
    let rows = app.log.times.entries.map { entry -> TimesDrawing.Row in
      (
        entry.action, entry.count, Double(entry.total) / 1000, entry.mean / 1000,
        Double(entry.longest) / 1000
      )
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
  func explainOutput(of app: isolated App) -> [String] {
    let records = shownRecords(of: app)
    guard let end = records.lastIndex(where: \.failed) else {
      let text = "Nothing was refused or dropped lately."
      return session.output(
        [text], value: .object(["code": .null, "text": .string(text), "chain": .array([])]),
        of: .explain)
    }
    let start = records[...end].lastIndex { $0.origin == .line } ?? max(0, end - 20)
    let chain = Array(records[start...end])
    let record = records[end]
    let secrets = knownSecrets(of: app)
    let code = record.code ?? record.failure?.failure?.code ?? ""
    let reason = record.refusal ?? record.failure?.failure?.reason ?? ""
    var lines = session.output(
      paragraphs: [secrets.redact(Self.headline(record) + ": " + reason) + " [\(code)]"]
        + (RuleGroup.remedy(of: code).map { [$0] } ?? []))
    if chain.count > 1 || record.origin != .line {
      lines += ["", "How it came to that:"]
      lines += LogDrawing(chain.map { $0.drawing(without: secrets) }).lines(
        width: session.settings.width, style: session.settings.textStyle)
    }
    return session.output(
      lines,
      value: .object([
        "code": .string(code), "text": .string(secrets.redact(reason)),
        "remedy": RuleGroup.remedy(of: code).map { .string($0) } ?? .null,
        "chain": secrets.redact(.array(chain.map(\.value))),
      ]), of: .explain)
  }

  /// The output of `:explain CODE`: the text that `appcore explain CODE` prints, or details of the
  /// last crash for the code `crash`.
  func explainOutput(of code: String, in app: isolated App) throws(Rejection) -> [String] {
    let code = RuleGroup.withoutBrackets(code)
    if code == "crash" {
      let secrets = knownSecrets(of: app)
      let lines = (app.keeper.session?.crashDetails ?? ["Nothing has crashed."]).map {
        secrets.redact($0) as String
      }
      return session.output(
        lines, value: .object(["code": "crash", "text": .string(lines.joined(separator: "\n"))]),
        of: .explain)
    }
    let text = try RuleGroup.text(of: code)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return session.output(
      lines.map(String.init), value: .object(["code": .string(code), "text": .string(text)]),
      of: .explain)
  }

  /// The entries of the log, without those of navigation that repeat the rejection of their line.
  private func shownRecords(of app: isolated App) -> [ActionRecord] {
    var code: String?
    return app.actionRecords().filter { record in
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

// The output of `:state` and `:plugins`.
extension Conversation {
  /// The output of `:state`: the state of the current instance as a tree, in which changes by the
  /// last line and by later effects are marked.
  func stateOutput(of app: isolated App) -> [String] {
    let shown = app.shownState
    guard let (id, instance, state, feature) = shown.feature(of: shown.current, app.features) else {
      return session.output(["No feature is shown."], value: .null, of: .state)
    }
    let secrets = knownSecrets(of: app)
    let node = app.graph.nodes[instance.node].name
    var before: Value?
    if let stateBeforeLine, stateBeforeLine.id == id, feature.isOwn(stateBeforeLine.state) {
      before = try? secrets.redact(feature.dump(stateBeforeLine.state))
    }
    let value: Value
    do {
      value = try secrets.redact(feature.dump(state))
    } catch {
      let text = "The state of '\(node)' can't be coded: \(error)"
      return session.output(session.output(paragraphs: [text]), value: .null, of: .state)
    }
    let lines = StateDrawing(value, before: before).lines(
      width: session.settings.width, style: session.settings.textStyle)
    let changes = before?.edits(to: value).prefix(Self.shownChanges) ?? []
    return session.output(
      session.output(paragraphs: ["\(node) #\(id) · \(feature.info.name)"]) + lines,
      value: .object([
        "instance": .string("\(id)"), "node": .string(node),
        "feature": .string(feature.info.name), "state": value,
        "changed": .array(changes.map { .string($0.pointer) }),
      ]), of: .state)
  }

  func pluginsOutput(of app: isolated App) -> [String] {
    let counts = app.reloader.counts
    let entries = app.current.plugins.map { plugin in
      LogDrawing.Entry(
        origin: plugin.name, owner: plugin.member.info.version,
        text: plugin.member.mockFile.map { "(mock of \($0))" } ?? plugin.member.path ?? "(linked)",
        notes: [Self.remark(plugin.member)]
          + (plugin.member.isLoaded ? [] : [LogDrawing.Note("not loaded yet")])
          + (counts[plugin.name].map { [LogDrawing.Note("replaced \($0)×")] } ?? [])
          + plugin.member.info.features.map { LogDrawing.Note($0.name) })
    }
    let value = app.current.plugins.map { plugin -> Value in
      .object([
        "name": .string(plugin.name), "version": .string(plugin.member.info.version),
        "file": plugin.member.path.map { .string($0) } ?? .null,
        "mock": plugin.member.mockFile.map { .string($0) } ?? .null,
        "scanned": .bool(plugin.member.wasScanned), "loaded": .bool(plugin.member.isLoaded),
        "problem": plugin.member.problem.map { .string($0.summary) } ?? .null,
        "reloads": .int(counts[plugin.name] ?? 0),
        "features": .array(plugin.member.info.features.map { .string($0.name) }),
      ])
    }
    return session.output(
      LogDrawing(entries).lines(
        width: session.settings.width, style: session.settings.textStyle),
      value: .array(value), of: .plugins)
  }

  private static func remark(_ plugin: AppPlugin) -> LogDrawing.Note {
    if let problem = plugin.problem {
      return LogDrawing.Note("\(problem.summary) [\(problem.code)]", isFailure: true)
    }
    if plugin.mockFile != nil { return LogDrawing.Note("a mock, made of an interface") }
    if plugin.path == nil { return LogDrawing.Note("part of this program") }
    return LogDrawing.Note(plugin.wasScanned ? "scanned: sound" : "not scanned")
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

  private var microseconds: Double { Double(duration.nanoseconds) / 1000 }

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
