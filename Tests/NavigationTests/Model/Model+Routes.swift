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
    attempt { model in _ = try model.apply(verb, from: model.current ?? 0, .null) }
  }

  /// A delegate action: its verbs as one step, then its notifications.
  mutating func emit(_ action: String, from emitter: Int, _ payload: Value) -> Outcome {
    guard let node = entry(emitter)?.node, let route = graph.route(from: node, action: action)
    else { return Outcome() }
    let receivers = route.verbs.map { receiver(of: $0, from: emitter) }
    var outcome = attempt { model in
      var anchor = emitter
      for verb in route.verbs { anchor = try model.apply(verb, from: anchor, payload) }
    }
    guard outcome.refusal == nil else { return outcome }
    for (verb, receiver) in zip(route.verbs, receivers) {
      guard case .notify(let kind, let input, let template) = verb else { continue }
      var receiver = receiver
      if case .current = kind { receiver = current }
      guard let receiver, let node = entry(receiver)?.node, input == "told",
        graph.nodes[node].feature == "Mock.Probe",
        case .string(let text)? = template.resolved(payload)["text"]
      else {
        outcome.dropped += 1
        continue
      }
      outcome.told.append((receiver, text))
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

  /// Who is meant, before the step; `nil` for `current`.
  private func receiver(of verb: RouteVerb, from emitter: Int) -> Int? {
    guard case .notify(let kind, _, _) = verb else { return nil }
    // A background instance stands where its container does.
    let place = host(of: emitter) ?? emitter
    switch kind {
    case .current: return nil
    case .presenter: return entry(emitter)?.presenter
    case .opener: return way(to: place).flatMap { layers[$0.layer].over }
    case .node(let node):
      let outward = path(from: place).map(\.entry).first { $0.node == node && $0.id != emitter }
      let latest = all.filter { $0.node == node && $0.id != emitter }.max { $0.id < $1.id }
      return (outward ?? latest)?.id
    }
  }
}
