internal import AppCore
internal import Navigation
internal import Sessions
public import Support

/// The result of opening a link.
public enum OpenOutcome: Hashable, Sendable {
  /// The link's target is shown.
  case opened
  /// The link is opened as soon as there is an instance of this node.
  case waiting(node: String)
  /// Nothing has changed, for this reason.
  case refused(Rejection)
}

extension App {
  /// Opens a link of the manifest, or a position that ``position(isFull:)`` has returned.
  ///
  /// The whole address is checked first. All modals are closed; instances that are already where
  /// the link puts them are kept, and the others are created. A link that needs an instance of a
  /// certain node waits for one; a later link replaces one that waits.
  ///
  /// - Parameter link: the address; one that begins with `/` is a position.
  /// - Returns: the result; a refused link changes nothing.
  @discardableResult
  public func open(_ link: String) -> OpenOutcome {
    let plan: LinkPlan
    do throws(Rejection) {
      plan = try graph.plan(link) { try? Value(json: $0) }
    } catch {
      return .refused(error)
    }
    secrets.add(plan.secretTexts(in: graph))
    if let refusal = navigate(.open(plan)) {
      return .refused(refusal)
    }
    if state.waitingLink == plan, let needs = plan.needs {
      return .waiting(node: graph.nodes[needs].name)
    }
    return .opened
  }
}
