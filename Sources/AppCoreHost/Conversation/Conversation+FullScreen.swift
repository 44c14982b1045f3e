internal import AppCore
internal import FullScreen
internal import LineEditor
internal import Sessions
internal import Shell
internal import Support
internal import Synchronization

// The screens of an app full screen, and the keys of a person who looks at them.
extension Conversation {
  /// How long a key waits for effects that end at once, so that what they show is drawn with it.
  private static let keyTimeout = Duration.milliseconds(20)
  /// The number of pictures that were drawn.
  private static let pictureCount = Atomic(0)

  /// Shows screens as pictures of a size from now on, or as lines if it is `nil`.
  func show(fullScreen size: GridSize?) {
    view = size.map { _ in view ?? ScreenView() }
    viewSize = size ?? viewSize
    viewEdition = nil
    // Output is shown with margins.
    if let size { session.settings.width = max(size.columns - 2, 20) }
  }

  /// Draws what is to be seen now.
  ///
  /// What the user was told stays until the next action.
  func pictureFrame(of app: isolated App) -> TerminalFrame {
    app.startTasks()
    refreshView(of: app)
    var picture = view?.picture()
    picture?.number = Self.pictureCount.add(1, ordering: .relaxed).newValue
    return TerminalFrame(
      number: session.screenNumber, lines: [], picture: picture,
      owner: app.shownState.current.map { "\($0)" } ?? "", layout: session.layout,
      isSettled: true, eventCount: app.state.journal.count, asksForSecrets: false)
  }

  /// Lays out the screen if it, the terminal's size or what the user is to be told has changed.
  private func refreshView(of app: isolated App) {
    let news = notices(after: seenEventCount, in: app)
    seenEventCount = app.state.journal.count
    view?.notices += news
    let edition = ViewEdition(screen: app.screenEdition, size: viewSize)
    guard edition != viewEdition || !news.isEmpty else { return }
    viewEdition = edition
    view?.show(screen(of: app), over: opener(of: app), size: viewSize)
    // Before the user sees the screen, so that a crash loses nothing that was seen.
    app.keeper.save(app)
  }

  /// The screen that the dialog in front covers; `nil` if none is in front.
  private func opener(of app: isolated App) -> ShellScreen? {
    let state = app.shownState
    guard state.isInModal, let layer = state.navigation.topLayer,
      let id = state.navigation.layers[layer]?.over, let instance = state.instances[id],
      let content = app.content(of: id)
    else { return nil }
    let node = app.graph.nodes[instance.node]
    return ShellScreen(
      content, owner: "\(id)", chrome: Chrome(path: [node.name], titles: [node.title ?? node.name]))
  }

  /// Handles keys, one after another, and draws what is to be seen then.
  ///
  /// A command of terminals ends the keys, and is left to the caller.
  func press(
    _ keys: [KeyPress], history: History, in app: isolated App
  ) async -> TerminalReply {
    var reply = Reply(.accepted)
    var remembered: String?
    view?.remember(history)
    pressing: for key in keys {
      refreshView(of: app)
      let steps = view?.press(key).steps ?? []
      if steps.isEmpty { complete(in: app) }
      for step in steps {
        switch step {
        case .intent(.activate(let activation)):
          reply = await perform(activation, within: Self.keyTimeout, in: app)
        case .line(let line):
          if case .command(let command) = try? LineParser().parse(line), command.isOfTerminal {
            return TerminalReply(
              reply: Reply(.accepted), frame: pictureFrame(of: app), remembered: remembered,
              command: (command, line))
          }
          if session.mayRemember(line, on: screen(of: app)) { remembered = line }
          // Numbers in the line are those of the screen as lines.
          _ = session.frame(screen(of: app))
          reply = await perform(.line(Array(line.utf8)), within: Self.keyTimeout, in: app)
        case .none, .intent, .both: break
        }
        if case .quit = reply.outcome { break pressing }
        guard reply.isToBeTold else { continue }
        if let limit = reply.settling { _ = await app.settle(within: limit) }
        tell(reply)
        let isRefused = reply.isRefused
        reply = Reply(.accepted)
        // What was to follow it is not done.
        if isRefused { break }
      }
    }
    return TerminalReply(reply: reply, frame: pictureFrame(of: app), remembered: remembered)
  }

  /// Shows what an action has led to, besides the screen.
  func tell(_ reply: Reply) {
    view?.notices = []
    switch reply.outcome {
    case .refused(let code):
      view?.notices = [Notice(reply.reason ?? "", style: .error, code: code)]
    case .prompt(let prompt): view?.ask(prompt)
    case .needsMoreLines:
      session.cancelText()
      view?.notices = [Notice("A text of several lines is typed in its field.")]
    case .accepted, .nothing, .quit: view?.show(output: reply.output)
    }
  }

  /// Gives the line of the shell that is being typed its completions.
  private func complete(in app: isolated App) {
    guard let head = view?.wantedCompletions() else { return }
    view?.receive(completions(of: head, answering: nil, in: app))
  }
}

extension Reply {
  /// Whether a person full screen has to be told of it, or to wait for what it leads to.
  fileprivate var isToBeTold: Bool {
    switch outcome {
    case .needsMoreLines, .prompt: true
    default: settling != nil || isRefused || !output.isEmpty
    }
  }
}

/// What a ``ScreenView`` shows: equal if nothing has to be laid out again.
struct ViewEdition: Equatable {
  let screen: Int
  let size: GridSize
}
