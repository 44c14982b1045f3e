public import Support

extension Manifest {
  /// One verb with its target, arguments and options.
  public struct Step: Hashable, Sendable {
    /// What to do, and to whom.
    public internal(set) var action: Action

    /// The place of the verb's word.
    public let verbRange: SourceRange

    /// The arguments or the payload; arguments override the target's own, field by field.
    public let with: Expression?

    /// `as`: the receiver's input case; `nil` for the name of the delegate action.
    public let input: Located<String>?

    /// What an entering verb does when its emitter is not the current instance.
    public let ifCovered: Located<CoveredPolicy>?

    /// `singleTop`: a push onto an instance with equal arguments changes nothing.
    public let isSingleTop: Bool

    /// `inclusive`: a `popTo` removes its target too.
    public let isInclusive: Bool

    /// `toAll`: a `notify` goes to every living instance of its node, oldest first.
    public let isToAll: Bool

    /// Whether the step was written as a bare node, in the `open` of a link.
    public let isBareNode: Bool

    /// The whole step.
    public let range: SourceRange
  }
}

extension Manifest.Step {
  /// A verb and its target.
  public enum Action: Hashable, Sendable {
    case push(NodeReference)
    case present(NodeReference)
    case replace(NodeReference)
    case select(NodeReference)
    case popTo(PopTarget)
    case reset(NodeReference)
    case notify(Receiver)
    case back
    case dismiss
    case ignore
  }

  /// Where `popTo` stops.
  public enum PopTarget: Hashable, Sendable {
    /// The root of the stack.
    case root(SourceRange)

    /// The nearest instance of a node on the way from the emitter to the root.
    case node(NodeReference)
  }

  /// The receiver of a notification.
  public enum Receiver: Hashable, Sendable {
    /// The nearest living instance of a node.
    case node(NodeReference)

    /// The current instance after the step.
    case current(SourceRange)

    /// The instance that pushed or presented the emitter.
    case presenter(SourceRange)

    /// The instance beneath the emitter's layer.
    case opener(SourceRange)
  }

  /// The value of `ifCovered`.
  public enum CoveredPolicy: String, Hashable, Sendable, CaseIterable {
    /// Rejects the step; the default.
    case refuse

    /// Dismisses everything that covers the emitter first.
    case cut

    /// Applies the verb to the current instance.
    case over
  }

  /// The verb.
  public var verb: Verb {
    switch action {
    case .push: .push
    case .present: .present
    case .replace: .replace
    case .select: .select
    case .popTo: .popTo
    case .reset: .reset
    case .notify: .notify
    case .back: .back
    case .dismiss: .dismiss
    case .ignore: .ignore
    }
  }

  /// The node that the verb names; `nil` if it names none.
  public var target: NodeReference? {
    switch action {
    case .push(let node), .present(let node), .replace(let node), .select(let node),
      .reset(let node), .popTo(.node(let node)), .notify(.node(let node)):
      node
    case .popTo, .notify, .back, .dismiss, .ignore: nil
    }
  }
}

extension Manifest.Step.Receiver {
  /// The reserved word that stands for the receiver; `nil` for a node.
  public var word: String? {
    switch self {
    case .node: nil
    case .current: "current"
    case .presenter: "presenter"
    case .opener: "opener"
    }
  }
}
