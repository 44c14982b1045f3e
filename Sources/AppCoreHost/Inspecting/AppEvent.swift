public import AppCore
internal import Diagnostics
package import Navigation

/// Something that went between features, or that did not happen: what the journal holds.
public enum AppEvent: Hashable, Sendable {
  /// A delegate action of an instance of `node` reached the graph.
  case delegate(node: String, action: String, payload: Value)
  /// A route's step could not apply, or what a person asked for; then `action` is empty.
  case refused(node: String, action: String, code: String, text: String)
  /// A notification had no receiver.
  case noReceiver(node: String, action: String, input: String)
  /// An action's instance was gone.
  case gone
  /// What crosses between features did not fit.
  case invalid(node: String, action: String, reason: String)

  /// The event as the harness knows it; `nil` for what ``NavigationEvent`` alone tells.
  package init?(_ event: Journal.Event, graph: Graph) {
    func name(_ node: Int) -> String { graph.nodes[node].name }
    switch event {
    case .delegate(_, let node, let action, let payload):
      self = .delegate(node: name(node), action: action, payload: payload)
    case .refused(let node, let action, let refusal):
      self = .refused(
        node: name(node), action: action, code: refusal.code, text: refusal.message)
    case .noReceiver(let node, let action, let input):
      self = .noReceiver(node: name(node), action: action, input: input)
    case .gone, .outdated: self = .gone
    case .navigated, .notified, .waiting, .endless, .flood, .overdue, .replaced, .notReplaced,
      .restored, .adopted, .notAdopted, .manifestRestored, .crowded:
      return nil
    case .invalid(let node, let action, let reason):
      self = .invalid(node: name(node), action: action, reason: reason)
    }
  }
}
