/// Why a verb did not apply; nothing has changed.
public enum Refusal: Error, Hashable, Sendable {
  /// The emitter is not in front, so it may only leave.
  case notCurrent
  /// A dialog covers what an entering verb would act on: it may only leave.
  case coveredByDialog
  /// The stack holds as many instances of the node as its `maxDepth` allows.
  case maxDepth(node: String, Int)
  /// The instance could not be made.
  case unavailable(node: String, reason: String)
  /// No container on the way outward has the tab.
  case noSuchTab(String)
  /// A dialog covers the container whose tab a person asks for.
  case tabsCovered
  /// There is nothing to go back to.
  case atRoot
  /// There is no modal to close.
  case notInModal
  /// The node is not on the way outward.
  case notOnPath(String)
  /// The stack would be empty.
  case wouldEmpty(String)

  /// A code for programs.
  public var code: String {
    switch self {
    case .notCurrent, .coveredByDialog: "not-current"
    case .maxDepth: "max-depth"
    case .unavailable: "unavailable"
    case .noSuchTab: "no-such-tab"
    case .tabsCovered: "tabs-covered"
    case .atRoot: "at-root"
    case .notInModal: "not-in-modal"
    case .notOnPath: "not-on-path"
    case .wouldEmpty: "would-empty"
    }
  }
}

extension Refusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notCurrent: "what asked for it is not in front any more"
    case .coveredByDialog:
      "a dialog covers where it would happen; close it first with 'dismiss', or say 'ifCovered'"
    case .maxDepth(let node, let limit):
      "'\(node)' stands here \(limit) times already, which is its maxDepth; go back first"
    case .unavailable(let node, let reason): "'\(node)' can't be shown: \(reason)"
    case .noSuchTab(let node): "nothing here has a tab '\(node)'"
    case .tabsCovered: "a dialog covers the tabs; answer it, or leave it with ':back'"
    case .atRoot: "this is where the app begins; there is nothing to go back to"
    case .notInModal: "no dialog is open"
    case .notOnPath(let node): "'\(node)' is not on the way back from here"
    case .wouldEmpty(let node): "'\(node)' is the first of its stack and can't be removed"
    }
  }
}
