internal import Diagnostics

extension Problem {
  /// The wording of what only the features of plugins can tell.
  var featureMessage: String? {
    switch kind {
    case .pluginUnavailable(let plugin, let cause):
      "the plugin \(quote(plugin)) can't be had: \(Wording.printable(cause))"
    case .unusedPlugin(let name): "nothing uses the plugin \(quote(name))"
    case .unknownPlugin(let name, let nearest, let allowed):
      "unknown plugin \(quote(name))" + Wording.hint(nearest, allowed, what: "plugins")
    case .unknownFeature(let name, let nearest, let allowed):
      "unknown feature \(quote(name))" + Wording.hint(nearest, allowed, what: "features")
    case .unknownDelegate(let name, let feature, let nearest, let allowed):
      "the feature \(quote(feature)) has no delegate action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "it has")
    case .noSuchDelegate(let name, let nearest, let allowed):
      "no feature here has the delegate action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "there are")
    case .idleSource(let node, let actions):
      "the node \(quote(node)) has none of the actions \(Wording.list(actions))"
    case .unroutedDelegate(let name, let node, let feature):
      "no route for \(quote(name)) of \(quote(feature)) at the node \(quote(node)); "
        + "a route with 'do: ignore' says that nothing happens"
    case .unknownInput(let name, let feature, let nearest, let allowed):
      "the feature \(quote(feature)) has no input action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "it has")
    case .noReceiver(let name, let receiver):
      "nothing that can be '\(receiver)' here has the input action \(quote(name))"
    case .missingField(let field, let owner, let type):
      "\(quote(field)) is missing for \(quote(owner))" + (type.map { "; it is \($0)" } ?? "")
    case .superfluousField(let field, let owner, let nearest, let allowed):
      "\(quote(owner)) takes no \(quote(field))"
        + (allowed.isEmpty && nearest == nil
          ? "; it takes nothing" : Wording.hint(nearest, allowed, what: "it takes"))
    case .unknownField(let field, let owner, let nearest, let allowed):
      "\(quote(owner)) has no field \(quote(field))"
        + Wording.hint(nearest, allowed, what: "it has")
    case .typeMismatch(let field, let expected, let actual):
      "\(quote(field)) must be \(expected), not \(actual)"
    case .notInsertable(let text, let type):
      "\(quote(text)) is \(type) and can't be inserted; "
        + "only a string, integer, double or bool can"
    case .missingEnumCase(let field, let cases):
      "\(quote(field)) may be \(Wording.list(cases)), which its receiver does not know"
    case .neverApplies(let verb, let reason): "'\(verb)' can never apply: \(reason)"
    case .neverGiven(let name, let node, let nearest, let allowed):
      "nobody who enters \(quote(node)) gives \(quote(name))"
        + Wording.hint(nearest, allowed, what: "given are")
    case .textForReference(let text, let field, let node):
      "\(quote(text)) is text, and \(quote(node)) is given \(quote(field)); "
        + "did you mean '$.\(Wording.printable(field))'?"
    case .idleRoute(let actions):
      "this route never applies: every node that emits \(Wording.list(actions)) has a route of its own"
    case .parameterConflict(let name, let first, let second):
      "the parameter \(quote(name)) can't be both \(first) and \(second)"
    case .unsayableParameter(let name, let type):
      "the parameter \(quote(name)) feeds \(type), which an address can't say; "
        + "a parameter is a string, integer, double or bool"
    case .unreachableNode(let name): "nothing reaches the node \(quote(name))"
    case .unboundedRecursion(let name):
      "the node \(quote(name)) can be pushed onto itself without end; "
        + "'maxDepth' sets a limit"
    default: nil
    }
  }
}
