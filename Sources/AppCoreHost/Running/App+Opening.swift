internal import AppCore
public import Diagnostics
internal import Navigation
internal import Support

/// What came of opening a link.
public enum OpenOutcome: Hashable, Sendable {
  /// It is shown.
  case opened
  /// It is shown as soon as an instance of this node lives.
  case waiting(node: String)
  /// Nothing changed, and why.
  case refused(Rejection)
}

extension App {
  /// Opens a link of the manifest, or a position as ``position(isFull:)`` gives it.
  ///
  /// The whole address is checked first. All modals close; what stands as it shall is kept, and
  /// the rest is made anew. A link that needs an instance waits for it; a later one takes its place.
  ///
  /// - Parameter link: the address; one that begins with `/` is a position.
  /// - Returns: what came of it; a refusal changes nothing.
  @discardableResult
  public func open(_ link: String) -> OpenOutcome {
    let plan: LinkPlan
    do throws(Rejection) {
      plan = try graph.plan(link) { try? Value(json: $0) }
    } catch {
      return .refused(error)
    }
    if let refusal = navigate(.open(plan)) {
      return .refused(refusal)
    }
    if state.waitingLink == plan, let needs = plan.needs {
      return .waiting(node: graph.nodes[needs].name)
    }
    return .opened
  }
}
