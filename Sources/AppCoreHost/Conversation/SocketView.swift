@_spi(Host) internal import AppCore
internal import Navigation
internal import Sessions
internal import Shell
package import Supervision
internal import Support

/// The view that clients of an app's socket share: a conversation of its own, whose screens are sent
/// while somebody looks, and whose lines are carried out one after another.
///
/// While nobody does, it costs an action nothing.
extension App {
  /// Serves the clients of a socket, until the process ends.
  package nonisolated func serve(_ link: SocketLink) {
    let (messages, continuation) = AsyncStream.makeStream(of: SocketMessage.self)
    link.start { message in
      // A status does not wait for lines, nor these for plugins' files to be read.
      guard message.verb == .status else { return _ = continuation.yield(message) }
      Task { await self.sendStatus(to: message.client, over: link) }
    }
    Task { await serve(messages, link) }
    Task { await sendStatus(to: 0, over: link) }
  }

  private func serve(_ messages: AsyncStream<SocketMessage>, _ link: SocketLink) async {
    let view = Conversation()
    var settings = SessionSettings()
    settings.includesCauses = true
    settings.commands = loaded.commands
    view.begin(settings)
    var clients: Set<Int> = []
    var lineSender = 0
    if let saved = keeper.session?.former.clientText {
      lineSender = saved.client
      view.continueText(saved.text)
    }
    var follower: Task<Void, Never>?
    for await message in messages where !isEnding {
      let client = message.client
      switch message.verb {
      case .attach:
        clients.insert(client)
        let screen = view.screen(
          of: self, isSettled: isSettled, cause: ScreenCause(origin: "start"))
        link.send(SocketMessage(.screen, client: client, view.message(of: screen)))
        guard follower == nil else { break }
        view.didPrint(view.screen(of: self), in: self)
        follower = Task { await follow(view, link) }
      case .detach:
        clients.remove(client)
        // What one has begun to write, nobody else completes.
        if client == lineSender {
          view.session.cancelText()
          keeper.session?.update { $0.clientText = nil }
        }
        guard clients.isEmpty else { break }
        follower?.cancel()
        follower = nil
      case .line:
        // The one whose text a crash has cut off may have gone before this process began.
        if client != lineSender { view.session.cancelText() }
        lineSender = client
        let line = LineReader.Event.line(Array(message.text.utf8))
        let text = view.unfinishedText(after: line)
        keeper.session?.update {
          $0.clientText = text.map { SavedConversation.ClientText(client: client, text: $0) }
        }
        let reply = await view.perform(line, in: self)
        if let limit = reply.settling { _ = await settle(within: limit) }
        keeper.save(self)
        view.sendChange(of: self, by: ScreenCause(origin: "line"), over: link)
        let answer = view.answer(to: reply, endingTextAt: text?.end)
        link.send(SocketMessage(.answer, client: client, answer))
      case .status, .answer, .screen: break
      }
    }
  }

  private func follow(_ view: Conversation, _ link: SocketLink) async {
    for await _ in changes() {
      view.sendChange(of: self, by: nil, over: link)
      guard (try? await Task.sleep(for: Conversation.liveInterval)) != nil else { return }
    }
  }

  private func sendStatus(to client: Int, over link: SocketLink) async {
    let suspensions = keeper.suspended.keys.sorted().map { id in
      "\(state.instances[id].map { graph.nodes[$0.node].name } ?? "?") #\(id)"
    }
    let text = await Self.status(current.identity, path.names, suspensions)
    link.send(SocketMessage(.status, client: client, text))
  }

  /// The status as a JSON object, for which plugins' files may be read.
  @concurrent
  private nonisolated static func status(
    _ identity: SessionIdentity, _ path: [String], _ suspensions: [String]
  ) async -> String {
    let plugins = identity.plugins.map { plugin -> JSONTree in
      let known = CrashFile.plugin(plugin.name, in: identity)
      return [
        "name": .string(plugin.name), "version": .string(plugin.version),
        "digest": JSONTree(known.digest),
      ]
    }
    let tree: JSONTree = [
      "app": .string(identity.app), "version": JSONTree(identity.version),
      "appcore": .string(SDK.version), "lock": JSONTree(identity.lock), "plugins": .array(plugins),
      "screen": JSONTree(path), "suspensions": JSONTree(suspensions),
      "refusedUpdates": .int(CrashFolder.refusalCount),
    ]
    return tree.line
  }
}

extension Conversation {
  /// Sends the screen to all clients, if it has changed since it was sent or has a new notice.
  ///
  /// Its cause is the last action unless another is given.
  fileprivate func sendChange(
    of app: isolated App, by cause: ScreenCause?, over link: SocketLink
  ) {
    // An app that has ended has a screen without a feature.
    guard !app.isEnding, let screen = changedScreen(of: app, by: cause) else { return }
    link.send(SocketMessage(.screen, message(of: screen)))
    didPrint(screen, in: app)
  }

  /// A screen as lines, and as the text of the object that `--json` prints.
  fileprivate func message(of screen: ShellScreen) -> String {
    var json = session
    json.settings.format = .json
    let object = json.frame(screen).joined()
    let tree: JSONTree = ["screen": .string(object), "lines": JSONTree(session.frame(screen))]
    return tree.line
  }

  /// The answer to a line: what was printed, and why it was refused; and the end mark of the text
  /// that is unfinished after it.
  fileprivate func answer(to reply: Reply, endingTextAt mark: String?) -> String {
    var fields: [(name: String, value: JSONTree)] = []
    switch reply.outcome {
    case .refused(let code):
      fields.append(("error", ["code": .string(code), "text": .string(reply.reason ?? "")]))
    case .quit: fields.append(("quit", true))
    default: if !reply.output.isEmpty { fields.append(("output", JSONTree(reply.output))) }
    }
    let answer = JSONTree.object([("answer", .object(fields))])
    return (mark.map { answer.adding([("textEnd", .string($0))]) } ?? answer).line
  }
}
