import AppCore

@testable import Navigation

extension Model {
  /// What came of one action.
  struct Outcome {
    /// The code of the refusal, where there was one.
    var refusal: String?
    /// Who was told something, and what.
    var told: [(receiver: Int, text: String)] = []
    /// How many notifications had no receiver.
    var dropped = 0
  }

  mutating func begin() -> Outcome {
    attempt { model in
      let start = try model.make(model.graph.start, .null, presenter: nil)
      if model.layers.isEmpty {
        model.background = try model.graph.background.map {
          try model.make($0, .null, presenter: nil)
        }
      }
      model.layers = [Layer(over: nil, stack: [start])]
    }
  }

  /// What a person asks for, anchored at the current instance.
  mutating func navigate(_ verb: RouteVerb) -> Outcome {
    attempt { model in
      let anchor = model.current ?? 0
      if case .select(let node, _) = verb, let layer = model.layer(withTab: node, from: anchor),
        layer < model.layers.count - 1
      {
        throw Refused(code: "tabs-covered")
      }
      _ = try model.apply(verb, from: anchor, .null)
    }
  }

  /// The layer of the nearest container with a tab of `node`.
  private func layer(withTab node: Int, from anchor: Int) -> Int? {
    path(from: anchor).first { entry, _ in
      guard case .tabs(let targets) = graph.nodes[entry.node].content else { return false }
      return targets.contains { $0.node == node }
    }?.layer
  }

  /// A delegate action: its verbs as one step, then its notifications.
  mutating func emit(_ action: String, from emitter: Int, _ payload: Value) -> Outcome {
    guard let node = entry(emitter)?.node, let route = graph.route(from: node, action: action)
    else { return Outcome() }
    let before = route.verbs.map { receivers(of: $0, from: emitter) }
    let unmade = route.verbs.map { verb -> (container: Int, tab: Int)? in
      guard case .notify(.node(let node), _, _, _) = verb, receiver(node, from: emitter) == nil
      else {
        return nil
      }
      return unmadeTab(leadingTo: node, from: emitter)
    }
    var outcome = attempt { model in
      var anchor = emitter
      for verb in route.verbs { anchor = try model.apply(verb, from: anchor, payload) }
    }
    guard outcome.refusal == nil else { return outcome }
    for (position, verb) in route.verbs.enumerated() {
      guard case .notify(let kind, let input, let template, _) = verb else { continue }
      var meant = before[position]
      if case .current = kind { meant = [current].compactMap { $0 } }
      if let place = unmade[position], case .node(let node) = kind {
        meant = [makeTabs(place, leadingTo: node)].compactMap { $0 }
      }
      if meant.isEmpty { outcome.dropped += 1 }
      for receiver in meant {
        guard let node = entry(receiver)?.node, input == "told",
          graph.nodes[node].feature == "Mock.Probe",
          case .string(let text)? = template.resolved(payload)["text"]
        else {
          outcome.dropped += 1
          continue
        }
        outcome.told.append((receiver, text))
      }
    }
    return outcome
  }

  private mutating func attempt(_ body: (inout Model) throws -> Void) -> Outcome {
    var draft = self
    do {
      try body(&draft)
    } catch let refused as Refused {
      return Outcome(refusal: refused.code)
    } catch {
      return Outcome(refusal: "\(error)")
    }
    self = draft
    return Outcome()
  }

  /// Who is meant, before the step; nobody for `current`.
  private func receivers(of verb: RouteVerb, from emitter: Int) -> [Int] {
    guard case .notify(let kind, _, _, _) = verb else { return [] }
    // A background instance is where its container does.
    let place = host(of: emitter) ?? emitter
    switch kind {
    case .current: return []
    case .presenter: return [entry(emitter)?.presenter].compactMap { $0 }
    case .opener: return [way(to: place).flatMap { layers[$0.layer].over }].compactMap { $0 }
    case .node(let node): return [receiver(node, from: emitter)].compactMap { $0 }
    case .all(let node):
      return all.filter { $0.node == node && $0.id != emitter }.map(\.id).sorted()
    }
  }

  /// The nearest instance of a node on the way outward, else the one presented last.
  private func receiver(_ node: Int, from emitter: Int) -> Int? {
    let place = host(of: emitter) ?? emitter
    let outward = path(from: place).map(\.entry).first { $0.node == node && $0.id != emitter }
    let latest = all.filter { $0.node == node && $0.id != emitter }.max { $0.id < $1.id }
    return (outward ?? latest)?.id
  }

  /// The tab never selected that begins with a node, or with a container that has such a tab.
  private func unmadeTab(
    leadingTo node: Int, from emitter: Int
  ) -> (container: Int, tab: Int)? {
    guard graph.nodes[node].feature != nil else { return nil }
    let leading = containers(leadingTo: node)
    let outward = path(from: host(of: emitter) ?? emitter).map(\.entry)
    for entry in outward {
      for (container, tab) in leading
      where entry.node == container && entry.tabs[tab] == nil { return (entry.id, tab) }
    }
    for (container, tab) in leading {
      let latest = all.filter { $0.node == container && $0.tabs[tab] == nil }.max { $0.id < $1.id }
      if let latest { return (latest.id, tab) }
    }
    return nil
  }

  /// The containers that lead to a node, the innermost first, each with its tab.
  private func containers(leadingTo node: Int) -> [(container: Int, tab: Int)] {
    var leading: [(container: Int, tab: Int)] = []
    var inner = [node]
    while !inner.isEmpty {
      let wanted = inner.removeFirst()
      for (index, definition) in graph.nodes.enumerated() {
        guard case .tabs(let targets) = definition.content,
          !leading.contains(where: { $0.container == index }),
          let tab = targets.firstIndex(where: { $0.node == wanted })
        else { continue }
        leading.append((index, tab))
        inner.append(index)
      }
    }
    return leading
  }

  /// Makes the roots of tabs inwards, beginning with one found before the step, until the node has
  /// an instance there, or a feature refuses; `nil` where it has none.
  private mutating func makeTabs(
    _ place: (container: Int, tab: Int), leadingTo node: Int
  ) -> Int? {
    var (id, tab) = place
    let leading = containers(leadingTo: node)
    while let container = entry(id), case .tabs(let targets) = graph.nodes[container.node].content {
      if container.tabs[tab] == nil {
        guard
          let root = try? make(targets[tab], container.arguments, presenter: container.presenter)
        else { return nil }
        change(stackOf: id) { stack, position in stack[position].tabs[tab] = [root] }
      }
      guard let root = entry(id)?.tabs[tab]?.first else { return nil }
      if root.node == node { return root.id }
      guard let next = leading.first(where: { $0.container == root.node }) else { return nil }
      (id, tab) = (root.id, next.tab)
    }
    return nil
  }
}
