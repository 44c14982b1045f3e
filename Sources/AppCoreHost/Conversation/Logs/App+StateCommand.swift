internal import AppCheck
@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Shell

// The output of `:state` and `:plugins`.
extension App {
  /// Keeps the state of the current instance, so that ``stateOutput()`` can mark changes since.
  ///
  /// It holds a reference to the copy-on-write state, so the first change by each line copies it.
  func rememberState() {
    let state = state
    guard let id = state.current, let instance = state.instances[id]?.state else {
      stateBeforeLine = nil
      return
    }
    stateBeforeLine = (id, instance)
  }

  /// The output of `:state`: the state of the current instance as a tree, in which changes by the
  /// last line and by later effects are marked.
  func stateOutput() -> [String] {
    let state = shownState
    guard let id = state.current, let instance = state.instances[id],
      let instanceState = instance.state, let feature = features[instance.node]
    else { return session.output(["No feature is shown."], value: .null, of: .state) }
    let node = graph.nodes[instance.node].name
    var before: Value?
    if let stateBeforeLine, stateBeforeLine.id == id, feature.isOwn(stateBeforeLine.state) {
      before = try? knownSecrets.redact(feature.dump(stateBeforeLine.state))
    }
    let value: Value
    do {
      value = try knownSecrets.redact(feature.dump(instanceState))
    } catch {
      let text = "The state of '\(node)' can't be coded: \(error)"
      return session.output(session.output(paragraphs: [text]), value: .null, of: .state)
    }
    let drawing = StateDrawing(value, before: before)
    let lines = drawing.lines(
      width: session.settings.width, style: session.settings.textStyle)
    return session.output(
      session.output(paragraphs: ["\(node) #\(id) · \(feature.info.name)"]) + lines,
      value: .object([
        "instance": .string("\(id)"), "node": .string(node),
        "feature": .string(feature.info.name), "state": value,
        "changed": .array(drawing.changes.map { .string($0) }),
      ]), of: .state)
  }

  /// The output of `:plugins`: an entry for each plugin.
  func pluginsOutput() -> [String] {
    let entries = current.plugins.map { plugin in
      LogDrawing.Entry(
        origin: plugin.name, owner: plugin.member.info.version,
        text: plugin.member.mockFile.map { "(mock of \($0))" } ?? plugin.member.path ?? "(linked)",
        notes: [Self.remark(plugin.member)]
          + (plugin.member.isLoaded ? [] : [LogDrawing.Note("not loaded yet")])
          + (reloader.counts[plugin.name].map { [LogDrawing.Note("replaced \($0)×")] } ?? [])
          + plugin.member.info.features.map { LogDrawing.Note($0.name) })
    }
    let value = current.plugins.map { plugin -> Value in
      .object([
        "name": .string(plugin.name), "version": .string(plugin.member.info.version),
        "file": plugin.member.path.map { .string($0) } ?? .null,
        "mock": plugin.member.mockFile.map { .string($0) } ?? .null,
        "scanned": .bool(plugin.member.wasScanned), "loaded": .bool(plugin.member.isLoaded),
        "problem": plugin.member.problem.map { .string($0.summary) } ?? .null,
        "reloads": .int(reloader.counts[plugin.name] ?? 0),
        "features": .array(plugin.member.info.features.map { .string($0.name) }),
      ])
    }
    return session.output(
      LogDrawing(entries).lines(
        width: session.settings.width, style: session.settings.textStyle),
      value: .array(value), of: .plugins)
  }

  /// The status of a plugin's file.
  private static func remark(_ plugin: PluginMember) -> LogDrawing.Note {
    if let problem = plugin.problem {
      return LogDrawing.Note("\(problem.summary) [\(problem.code)]", isFailure: true)
    }
    if plugin.mockFile != nil { return LogDrawing.Note("a mock, made of an interface") }
    if plugin.path == nil { return LogDrawing.Note("part of this program") }
    return LogDrawing.Note(plugin.wasScanned ? "scanned: sound" : "not scanned")
  }
}
