internal import AppCore
internal import FullScreen
internal import LineEditor
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

// The screens of an app full screen, and the keys of a person who looks at them.
extension Conversation {
  /// How long a key waits for effects that end at once, so that what they show is drawn with it.
  private static let keyTimeout = Duration.milliseconds(20)

  /// Shows screens as pictures of a size from now on, or as lines if it is `nil`.
  ///
  /// `count` is the number of events that the user was notified of in lines. Returns how many they
  /// were notified of full screen, if that ends.
  func show(fullScreen size: GridSize?, noticesAfter count: Int) -> Int? {
    let ends = view != nil && size == nil
    if view == nil, size != nil { (keyCount, seenEventCount) = (0, max(seenEventCount, count)) }
    view = size.map { _ in view ?? ScreenView() }
    view?.commands = session.settings.commands
    viewSize = size ?? viewSize
    viewEdition = nil
    // Output is shown with margins.
    if let size { session.settings.width = max(size.columns - 2, 20) }
    return ends ? seenEventCount : nil
  }

  /// Draws what is to be seen now.
  ///
  /// What the user was told stays until the next action.
  func pictureFrame(of app: isolated App) -> TerminalFrame {
    app.startTasks()
    refreshView(of: app)
    savePlaces(of: view, in: app)
    saveCommand(in: app)
    pictureCount += 1
    var picture = view?.picture(number: pictureCount)
    picture?.keyCount = keyCount
    picture?.theme = app.current.theme
    return TerminalFrame(
      number: session.screenNumber, lines: [], picture: picture,
      owner: app.shownState.current.map { "\($0)" } ?? "", layout: session.layout,
      isSettled: true, eventCount: app.state.journal.count, privacy: .none,
      isAfterQuitting: app.state.hasQuit)
  }

  /// Lays out the screen if it, the terminal's size or what the user is to be told has changed.
  private func refreshView(of app: isolated App) {
    let news = notices(after: seenEventCount, in: app)
    seenEventCount = app.state.journal.count
    view?.notices += news
    let edition = ViewEdition(screen: app.screenEdition, size: viewSize)
    guard edition != viewEdition || !news.isEmpty else { return }
    viewEdition = edition
    let instances = app.state.instances
    view?.show(screen(of: app), over: opener(of: app), size: viewSize) { owner in
      InstanceID(text: owner).map { instances[$0] != nil } ?? false
    }
    // Before the user sees the screen, so that a crash loses nothing that was seen.
    app.keeper.save(app)
  }

  /// Saves the focus, the positions and the half-typed texts of a view in the session.
  private func savePlaces(of view: ScreenView?, in app: isolated App) {
    guard let session = app.keeper.session, let view else { return }
    let places = view.savedPlaces.compactMap { owner, place in
      InstanceID(text: owner).flatMap { id in
        app.state.instances[id].map { _ in
          SavedConversation.Place(instance: id, state: Value(coding: place))
        }
      }
    }
    session.update { $0.places = places }
  }

  /// Saves the line of the shell that is being typed in the session.
  private func saveCommand(in app: isolated App) {
    guard let session = app.keeper.session, let view else { return }
    let (line, cursor) = view.typedCommand ?? ("", 0)
    let isPrivate = !line.isEmpty && !mayRemember(line, in: app)
    session.update { $0.type(line, cursor: cursor, isPrivate: isPrivate) }
  }

  /// Restores what was in focus and half-typed when the previous process ended.
  func restorePlaces(of keeper: SessionKeeper) {
    viewEdition = nil
    if let former = keeper.session?.former {
      view?.restore(command: former.line, cursor: former.cursor)
    }
    view?.restore(
      (keeper.session?.former.places ?? []).compactMap { saved in
        guard let id = keeper.restoredIDs[saved.instance],
          let place = saved.state.decoded(SavedPlace.self)
        else { return nil }
        return ("\(id)", place)
      })
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

  /// Writes a picture of the screen to a file, and returns the lines that say so.
  func writePicture(to path: String, in app: isolated App) throws(Rejection) -> [String] {
    if let objection = app.objection(toReplacing: path, unless: Picture.isPicture) {
      throw .notDrawn(SafeText.line(path), reason: objection)
    }
    refreshView(of: app)
    var drawn = view ?? ScreenView()
    if view == nil {
      drawn.show(screen(of: app), over: opener(of: app), size: GridSize(columns: 80, rows: 24))
    }
    var picture = drawn.picture()
    picture.theme = app.current.theme
    do throws(SystemError) {
      try FileReplacement.write(
        Array(picture.svg.utf8), to: path, newMode: FileReplacement.usualMode)
    } catch {
      throw .notDrawn(SafeText.line(path), reason: "\(error)")
    }
    return session.output(
      session.output(paragraphs: ["the screen in " + SafeText.line(shellWord(path))]),
      value: .object(["file": .string(path)]), of: .screenshot)
  }

  /// Handles keys, one after another, and draws what is to be seen then.
  ///
  /// A command of terminals ends the keys, and is left to the caller with the rest. Ctrl-C, which
  /// cancels the task, ends them too. Without keys a search goes on.
  func press(
    _ keys: [SeenKey], history: History, in app: isolated App
  ) async -> TerminalReply {
    // Counted one by one: while an action is awaited, the keys after Ctrl-C are handled.
    var left = keys.count
    var reply = Reply(.accepted)
    var remembered: String?
    view?.remember(history)
    pressing: for (index, (key, picture)) in keys.enumerated() {
      while view?.waitsForSearch(key) == true, !Task.isCancelled {
        view?.search()
        await Task.yield()
      }
      if Task.isCancelled { break }
      refreshView(of: app)
      keyCount += 1
      left -= 1
      let before = view
      let steps = view?.press(key, typedFor: picture).steps ?? []
      // If the app crashes because of it, what was typed is there again; a line is in the history.
      if !steps.isEmpty {
        savePlaces(of: before, in: app)
        saveCommand(in: app)
      }
      if steps.isEmpty { complete(in: app) }
      for step in steps {
        switch step {
        case .intent(.activate(let activation)):
          reply = await perform(activation, within: Self.keyTimeout, in: app)
        case .refused(let rejection, let line):
          reply = await refuse(rejection, line: line, in: app)
        case .line(let line):
          let parser = LineParser(supported: session.settings.commands)
          if case .command(let command) = try? parser.parse(line), command.isOfTerminal {
            keyCount += left
            let frame = pictureFrame(of: app)
            app.keeper.session?.update { $0.sentLine = nil }
            return TerminalReply(
              reply: Reply(.accepted), frame: frame, remembered: remembered,
              command: (command, line), rest: Array(keys[(index + 1)...]))
          }
          // Numbers in the line are those of the screen as lines.
          _ = session.frame(screen(of: app))
          let kept = mayRemember(line, in: app) ? line : nil
          remembered = kept ?? remembered
          app.keeper.session?.update { $0.sentLine = kept }
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
    keyCount += left
    if Task.isCancelled, view?.isSearching == true { _ = view?.press(.control("c")) }
    view?.search()
    let frame = pictureFrame(of: app)
    app.keeper.session?.update { $0.sentLine = nil }
    return TerminalReply(reply: reply, frame: frame, remembered: remembered)
  }

  /// Sends a text of several lines that is being typed to its feature, which may save it as the app
  /// ends.
  func sendText(in app: isolated App) async {
    guard view != nil else { return }
    refreshView(of: app)
    for case .intent(.activate(let activation)) in view?.sendText().steps ?? [] {
      _ = await perform(activation, within: .zero, in: app)
    }
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
