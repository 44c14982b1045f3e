public import Support

extension Manifest {
  /// One verb with its target, arguments and options.
  public struct Step: Hashable, Sendable {
    /// What to do.
    public internal(set) var verb: Verb
    /// The place of the verb's word.
    public let verbRange: SourceRange
    /// The node that the verb names; `nil` if it names none.
    public internal(set) var target: NodeReference?
    /// The word that the verb names in place of a node; `nil` if it names none.
    public internal(set) var word: TargetWord?
    /// The arguments or the payload; arguments override the target's own, field by field.
    public internal(set) var with: Expression?
    /// `as`: the receiver's input case; `nil` for the name of the delegate action.
    public internal(set) var input: Located<String>?
    /// What an entering verb does when its emitter is not the current instance.
    public internal(set) var ifCovered: Located<CoveredPolicy>?
    /// `singleTop`: a push onto an instance with equal arguments changes nothing.
    public internal(set) var isSingleTop = false
    /// `inclusive`: a `popTo` removes its target too.
    public internal(set) var isInclusive = false
    /// `toAll`: a `notify` goes to every living instance of its node, oldest first.
    public internal(set) var isToAll = false
    /// Whether the step was written as a bare node, in the `open` of a link.
    public internal(set) var isBareNode = false
    public let range: SourceRange
  }
}

extension Manifest.Step {
  /// A reserved word that stands for an instance.
  public enum TargetWord: String, Hashable, Sendable {
    /// Of `popTo`: the root of the stack.
    case root
    /// Of `notify`: the current instance after the step.
    case current
    /// Of `notify`: the instance that pushed or presented the emitter.
    case presenter
    /// Of `notify`: the instance beneath the emitter's layer.
    case opener
  }

  public enum CoveredPolicy: String, Hashable, Sendable, CaseIterable {
    /// Rejects the step; the default.
    case refuse
    /// Dismisses everything that covers the emitter first.
    case cut
    /// Applies the verb to the current instance.
    case over
  }
}

/// The verbs of routes and links.
public enum Verb: String, Hashable, Sendable, CaseIterable {
  case push, present, replace, select, popTo, reset, notify
  case back, dismiss, quit, ignore

  /// Whether the verb is a key with a target, rather than a word under `do`.
  public var takesTarget: Bool {
    switch self {
    case .push, .present, .replace, .select, .popTo, .reset, .notify: true
    case .back, .dismiss, .quit, .ignore: false
    }
  }

  /// Whether the verb opens or selects a node: only an emitter in front may do that.
  public var enters: Bool {
    switch self {
    case .push, .present, .replace, .select: true
    case .popTo, .reset, .notify, .back, .dismiss, .quit, .ignore: false
    }
  }

  /// Whether the verb leaves an instance: that is allowed from anywhere.
  public var leaves: Bool {
    switch self {
    case .back, .dismiss, .popTo: true
    case .push, .present, .replace, .select, .reset, .notify, .quit, .ignore: false
    }
  }

  /// The verb's options: the keys that are allowed next to it.
  var options: [Keyword] {
    switch self {
    case .push: [.with, .singleTop, .ifCovered]
    case .present, .replace: [.with, .ifCovered]
    case .select: [.ifCovered]
    case .popTo: [.inclusive]
    case .reset: [.with]
    case .notify: [.as, .with, .toAll]
    case .back, .dismiss, .quit, .ignore: []
    }
  }
}
