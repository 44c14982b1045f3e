internal import AppCore
internal import AppCoreRuntime
internal import Navigation
public import Shell

// Lines in, screens out.
extension App {
  /// How long a script waits for a screen to settle.
  public static let patience = Duration.seconds(5)

  /// The commands that an app can carry out.
  public static let commands: Set<CommandName> = [
    .back, .dismiss, .tab, .press, .next, .previous, .page, .find, .path, .graph, .state,
    .plugins, .wait, .expect, .expectPath, .help, .quit,
  ]

  /// Begins a conversation; what was shown in another one is forgotten.
  public func converse(_ settings: SessionSettings = SessionSettings()) {
    var settings = settings
    settings.commands.formIntersection(Self.commands)
    session = ShellSession(settings)
  }

  /// Changes the width of the screens to come.
  public func resize(to width: Int) { session.settings.width = width }

  /// The screen once it has settled, or as it is when `limit` has passed.
  public func show(within limit: Duration = App.patience) async -> [String] {
    let isSettled = await settle(within: limit)
    let screen = shellScreen(notices: notices(after: toldCount), isSettled: isSettled)
    toldCount = state.journal.count
    return session.frame(screen)
  }

  /// Reads one line and carries it out.
  ///
  /// - Parameters:
  ///   - bytes: the line without its newline.
  ///   - number: its number in a script, from 1, for a refusal.
  ///   - limit: how long to wait for the screen to settle.
  /// - Returns: what it came to, and what is to be printed.
  public func send(
    line bytes: [UInt8], number: Int? = nil, within limit: Duration = App.patience
  ) async -> Reply {
    let intent = session.interpret(bytes, on: shellScreen(notices: [], isSettled: true))
    return await carryOut(intent, number: number, within: limit)
  }

  /// Reads one line and carries it out.
  public func send(line: String) async -> Reply { await send(line: Array(line.utf8)) }

  /// Hands over what a person typed when they were asked.
  public func answer(
    _ prompt: Prompt, with bytes: [UInt8], within limit: Duration = App.patience
  ) async -> Reply {
    let intent = session.answer(
      prompt, with: bytes, on: shellScreen(notices: [], isSettled: true))
    return await carryOut(intent, number: nil, within: limit)
  }

  /// Refuses a line that was too long to be read.
  public func refuseTooLong(limit: Int, number: Int? = nil) async -> Reply {
    let intent = session.refuseTooLong(limit: limit)
    return await carryOut(intent, number: number, within: App.patience)
  }

  /// What the end of the input comes to.
  public func endOfInput(number: Int? = nil) -> Reply {
    if case .refused(let refusal) = session.end() { return refuse(refusal, number) }
    return Reply(.quit)
  }

  private func carryOut(
    _ intent: Intent, number: Int?, within limit: Duration
  ) async -> Reply {
    switch intent {
    case .nothing: return Reply(.nothing)
    case .needsMoreLines: return Reply(.needsMoreLines)
    case .prompt(let prompt): return Reply(.prompt(prompt))
    case .refused(let refusal): return refuse(refusal, number)
    case .redraw: return Reply(.accepted, screen: await show(within: limit))
    case .activate(let activation):
      guard activate(control: activation.control, input: activation.input) else {
        return refuse(
          .other(code: "not-taken", text: "'\(activation.label)' does not take this value"),
          number)
      }
      return Reply(.accepted, screen: await show(within: limit))
    case .command(let command): return await carryOut(command, number: number, within: limit)
    }
  }

  private func carryOut(
    _ command: Command, number: Int?, within limit: Duration
  ) async -> Reply {
    var output: [String] = []
    var limit = limit
    var refusal: Navigation.Refusal?
    switch command {
    case .back: refusal = goBack()
    case .dismiss: refusal = navigate(.dismiss)
    case .tab(let name):
      guard let node = tab(named: name) else {
        return refuse(.other(code: "no-such-tab", text: "there is no tab '\(name)' here"), number)
      }
      refusal = navigate(.select(node: node))
    case .path(let isFull):
      // Not wrapped: it is a link, to be copied.
      output = session.output([position(isFull: isFull)], of: .path)
    case .graph:
      let settings = session.settings
      let style: Style = if case .text(let style) = settings.format { style } else { .plain }
      output = session.output(drawing.lines(width: settings.width, style: style), of: .graph)
    case .state: output = session.output(stateValue, of: .state)
    case .plugins: output = session.output(pluginsValue, of: .plugins)
    case .help(let name): output = session.help(name)
    case .wait(let seconds): limit = seconds.map { .milliseconds(Int($0 * 1000)) } ?? limit
    case .expect(let text):
      _ = await settle(within: limit)
      guard session.shows(text, on: shellScreen(notices: [], isSettled: true)) else {
        return refuse(.notShown(text), number)
      }
    case .expectPath(let expected):
      _ = await settle(within: limit)
      let actual = position(isFull: true)
      guard actual == expected else {
        return refuse(.otherPath(expected: expected, actual: actual), number)
      }
    case .quit: return Reply(.quit)
    case .open, .log, .reload, .explain, .press, .next, .previous, .page, .find:
      // Not among ``commands``, or carried out by the session itself.
      let name = command.name.rawValue
      return refuse(
        .unsupportedCommand(name, supported: Self.commands.map(\.rawValue).sorted()), number)
    }
    if let refusal {
      return refuse(.other(code: refusal.code, text: refusal.description), number)
    }
    return Reply(.accepted, output: output, screen: await show(within: limit))
  }

  private func refuse(_ refusal: Shell.Refusal, _ number: Int?) -> Reply {
    Reply(
      .refused(code: refusal.code), output: session.lines(for: refusal, line: number),
      reason: refusal.text)
  }

  /// The current instance's state in structural form.
  private var stateValue: Value {
    let state = state
    guard let id = state.current, let instance = state.instances[id],
      let instanceState = instance.state, let feature = features[instance.node]
    else { return .null }
    let value = (try? feature.encode(instanceState)) ?? .null
    return .object([
      "instance": .string("\(id)"), "node": .string(graph.nodes[instance.node].name),
      "feature": .string(feature.info.name), "state": value,
    ])
  }

  private var pluginsValue: Value {
    .array(
      loaded.plugins.map { plugin in
        .object([
          "name": .string(plugin.name), "version": .string(plugin.witness.version),
          "file": plugin.path.map { .string($0) } ?? .null,
          "features": .array(plugin.witness.features.map { .string($0.name) }),
        ])
      })
  }
}
