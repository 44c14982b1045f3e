package import Support

// Rules that need the features of the plugins.
extension Rule {
  package static let pluginUnavailable = Rule(
    "plugin-unavailable", .error,
    means: "A plugin can't be loaded. The lines below the message list the paths that were tried, "
      + "or both sides of a mismatch. Errors that follow from the missing plugin are not "
      + "reported. If all errors are of this kind, the exit status is 69.",
    remedy: "Follow the help below the message. The code in the line `code:` gives the reason; "
      + "`appcore explain` explains it too.")

  package static let unusedPlugin = Rule(
    "unused-plugin", .warning,
    means: "The manifest lists a plugin, but no node uses a feature of it.",
    remedy: "Remove the plugin, or use it.")

  package static let unknownPlugin = Rule(
    "unknown-plugin", .error,
    means: "A node names a feature of a plugin that the manifest does not list.",
    remedy: "Correct the name, or add the plugin under `plugins`.")

  package static let unknownFeature = Rule(
    "unknown-feature", .error,
    means: "The plugin has no feature of that name.",
    remedy: "Use the suggested name or one of the listed ones.")

  package static let unusableFeature = Rule(
    "unusable-feature", .error,
    means: "A plugin has a feature that no manifest can use: an action of it can't be described, "
      + "such as a case with several values without labels. The message says which.",
    remedy: "Correct the feature, as the message says, and build the plugin again.")

  package static let plainSecret = Rule(
    "plain-secret", .warning,
    means: "A field of a feature is called like a secret, such as `password` or `token`, and is a "
      + "plain string: it is printed, recorded and kept like any other text.",
    remedy: "Make the field a `Secret` in the feature, or give it another name.")

  package static let unknownDelegate = Rule(
    "unknown-delegate", .error,
    means: "A route handles an action that the feature of its node does not emit, or that no "
      + "feature emits.",
    remedy: "Use the suggested name or one of the listed ones.")

  package static let idleSource = Rule(
    "idle-source", .error,
    means: "One of the nodes in a route's list has none of the route's actions.",
    remedy: "Remove the node from the list, or correct the actions.")

  package static let unroutedDelegate = Rule(
    "unrouted-delegate", .error,
    means: "A delegate action of a node has no route.",
    remedy: "Add a route, with `do: ignore` if nothing is meant to happen.")

  package static let unknownInput = Rule(
    "unknown-input", .error,
    means: "The receiver has no input action of that name.",
    remedy: "Use `as` with one of the listed names.")

  package static let noReceiver = Rule(
    "no-receiver", .error,
    means: "No node that can be the receiver has that input action.",
    remedy: "Correct the name after `as`, or notify a node that has it.")

  package static let missingField = Rule(
    "missing-field", .error,
    means: "A field that the target needs is given neither by the node nor by the route, and the "
      + "feature has no default for it.",
    remedy: "Add it under `with`, in the node or in the route.")

  package static let superfluousField = Rule(
    "superfluous-field", .error,
    means: "A field is given that the target does not accept.",
    remedy: "Use the suggested name, or remove the field.")

  package static let unknownField = Rule(
    "unknown-field", .error,
    means: "A reference names a field that the payload does not have.",
    remedy: "Use the suggested name or one of the listed ones.")

  package static let typeMismatch = Rule(
    "type-mismatch", .error,
    means: "A value does not have the type of its field.",
    remedy: "Give a value of the expected type; text with insertions is always a string.")

  package static let notInsertable = Rule(
    "not-insertable", .error,
    means: "Only strings, numbers and booleans can be inserted into text.",
    remedy: "Insert a field of the value, or pass the whole value as a reference of its own.")

  package static let missingCase = Rule(
    "missing-case", .error,
    means: "The source's enum has cases that the receiver's enum lacks.",
    remedy: "Add the cases to the receiver, or emit another action for them.")

  package static let neverApplies = Rule(
    "never-applies", .error,
    means: "A verb can never apply here. The message says why.",
    remedy: "Choose another verb or target.")

  package static let neverGiven = Rule(
    "never-given", .error,
    means: "A tab or background instance refers to a field that no route to its container gives.",
    remedy: "Use the suggested name, or give the field in the `with` of every route to the "
      + "container.")

  package static let textForReference = Rule(
    "text-for-reference", .error,
    means: "A plain string looks like a reference without its `$`, and the container is given a "
      + "field of that name.",
    remedy: "Write `$.field`.")

  package static let idleRoute = Rule(
    "idle-route", .warning,
    means: "A route for `any` never applies: each node that emits one of its actions has a route "
      + "of its own for that action.",
    remedy: "Remove it, or one of the others.")

  package static let parameterConflict = Rule(
    "parameter-conflict", .error,
    means: "A link parameter is used for fields of two types, but it can only have one.",
    remedy: "Use a separate parameter for each field.")

  package static let unsayableParameter = Rule(
    "unsayable-parameter", .error,
    means: "A link parameter is used for a list, a map or something else that an address can't "
      + "express.",
    remedy: "Use parameters for strings, numbers and booleans; put the rest in the `with` of the "
      + "node.")

  package static let unreachableNode = Rule(
    "unreachable-node", .warning,
    means: "A node can't be reached: no route, tab, background, link or `start` leads to it.",
    remedy: "Add a route or link to it, or remove it.")

  package static let unboundedRecursion = Rule(
    "unbounded-recursion", .note,
    means: "A node can be pushed onto itself, or a dialog opened over itself, without limit. That "
      + "is allowed, and costs only the memory of the instances.",
    remedy: "Set `maxDepth` on a pushed node if there should be a limit; let a dialog `dismiss` "
      + "before it presents the next.")

  package static let idleMaxDepth = Rule(
    "idle-max-depth", .note,
    means: "A node has a `maxDepth`, but no step pushes it or replaces another node with it. The "
      + "limit counts instances in one stack, so it never applies to a dialog, a tab or the start "
      + "node.",
    remedy: "Remove it, or push the node.")

  /// All rules of this file.
  package static let featureRules: [Rule] = [
    .pluginUnavailable, .unusedPlugin, .unknownPlugin, .unknownFeature, .unusableFeature,
    .plainSecret, .unknownDelegate,
    .idleSource, .unroutedDelegate, .unknownInput, .noReceiver, .missingField,
    .superfluousField, .unknownField, .typeMismatch, .notInsertable, .missingCase,
    .neverApplies, .neverGiven, .textForReference, .idleRoute, .parameterConflict,
    .unsayableParameter, .unreachableNode, .unboundedRecursion, .idleMaxDepth,
  ]
}

extension Finding {
  package static func pluginUnavailable(
    plugin: String, cause: String, nearest: Suggestion? = nil
  ) -> Finding {
    Finding(
      .pluginUnavailable,
      "can't load plugin \(quote(plugin)): \(Wording.printable(cause))"
        + (nearest.map { "; the nodes call it \(quote($0.name))" } ?? ""),
      subject: plugin, correction: .init(plugin, nearest))
  }

  package static func unusedPlugin(_ name: String) -> Finding {
    Finding(.unusedPlugin, "nothing uses the plugin \(quote(name))")
  }

  package static func unknownPlugin(
    _ name: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownPlugin,
      "'plugins' does not list \(quote(name))" + Wording.hint(nearest, allowed, what: "it lists"),
      correction: .init(name, nearest))
  }

  package static func unknownFeature(
    _ name: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownFeature,
      "unknown feature \(quote(name))" + Wording.hint(nearest, allowed, what: "features"),
      correction: .init(name, nearest))
  }

  package static func unusableFeature(_ name: String, cause: String) -> Finding {
    Finding(
      .unusableFeature, "the feature \(quote(name)) can't be used: \(Wording.printable(cause))")
  }

  package static func plainSecret(_ field: String, of feature: String) -> Finding {
    Finding(
      .plainSecret,
      "\(quote(field)) of \(quote(feature)) is a plain string and would be printed and kept; make "
        + "it a 'Secret'")
  }

  package static func unknownDelegate(
    _ name: String, feature: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownDelegate,
      "the feature \(quote(feature)) has no delegate action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "it has"),
      correction: .init(name, nearest))
  }

  package static func noSuchDelegate(
    _ name: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownDelegate,
      "no feature here has the delegate action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "there are"),
      correction: .init(name, nearest))
  }

  package static func idleSource(node: String, actions: [String]) -> Finding {
    Finding(.idleSource, "the node \(quote(node)) has none of the actions \(Wording.list(actions))")
  }

  package static func unroutedDelegate(_ name: String, node: String, feature: String) -> Finding {
    Finding(
      .unroutedDelegate,
      "no route for \(quote(name)) of \(quote(feature)) at the node \(quote(node)); "
        + "a route with 'do: ignore' says that nothing happens")
  }

  package static func unknownInput(
    _ name: String, feature: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownInput,
      "the feature \(quote(feature)) has no input action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "it has"),
      correction: .init(name, nearest))
  }

  package static func noReceiver(
    _ name: String, receiver: String, nearest: Suggestion? = nil, allowed: [String] = []
  ) -> Finding {
    Finding(
      .noReceiver,
      "nothing that can be '\(receiver)' here has the input action \(quote(name))"
        + Wording.hint(nearest, allowed, what: "there are"),
      correction: .init(name, nearest))
  }

  package static func missingField(
    _ field: String, of owner: String, type: String?, remedy: String? = nil
  ) -> Finding {
    Finding(
      .missingField,
      "\(quote(field)) is missing for \(quote(owner))" + (type.map { "; it is \($0)" } ?? "")
        + (remedy.map { "; \($0)" } ?? ""))
  }

  package static func superfluousField(
    _ field: String, of owner: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .superfluousField,
      "\(quote(owner)) takes no \(quote(field))"
        + (allowed.isEmpty && nearest == nil
          ? "; it takes nothing" : Wording.hint(nearest, allowed, what: "it takes")),
      correction: .init(field.split(separator: ".").last.map(String.init) ?? field, nearest))
  }

  package static func unknownField(
    _ field: String, of owner: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownField,
      "\(quote(owner)) has no field \(quote(field))"
        + Wording.hint(nearest, allowed, what: "it has"),
      correction: .init(field, nearest))
  }

  package static func typeMismatch(field: String, expected: String, actual: String) -> Finding {
    Finding(.typeMismatch, "\(quote(field)) must be \(expected), not \(actual)")
  }

  package static func notInsertable(_ text: String, type: String) -> Finding {
    Finding(
      .notInsertable,
      "\(quote(text)) is \(type) and can't be inserted; "
        + "only a string, integer, double or bool can")
  }

  package static func missingEnumCase(field: String, cases: [String]) -> Finding {
    Finding(
      .missingCase,
      "\(quote(field)) may be \(Wording.list(cases)), which its receiver does not know")
  }

  package static func neverApplies(verb: String, reason: String) -> Finding {
    Finding(.neverApplies, "'\(verb)' can never apply: \(reason)")
  }

  package static func neverGiven(
    _ name: String, node: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .neverGiven,
      "nobody who enters \(quote(node)) gives \(quote(name))"
        + Wording.hint(nearest, allowed, what: "given are"),
      // Not certain: the given name may be the one that is misspelt.
      correction: nearest.map { .init(name, $0.name, isCertain: false) })
  }

  package static func textForReference(_ text: String, field: String, node: String) -> Finding {
    Finding(
      .textForReference,
      "\(quote(text)) is text, and \(quote(node)) is given \(quote(field)); "
        + "did you mean '$.\(Wording.printable(field))'?",
      correction: .init(text, "$.\(field)", isCertain: text == ".\(field)"))
  }

  package static func idleRoute(actions: [String]) -> Finding {
    Finding(
      .idleRoute,
      "this route never applies: every node that emits \(Wording.list(actions)) has a route of its own"
    )
  }

  package static func parameterConflict(_ name: String, first: String, second: String) -> Finding {
    Finding(.parameterConflict, "the parameter \(quote(name)) can't be both \(first) and \(second)")
  }

  package static func unsayableParameter(_ name: String, type: String) -> Finding {
    Finding(
      .unsayableParameter,
      "the parameter \(quote(name)) feeds \(type), which an address can't say; "
        + "a parameter is a string, integer, double or bool")
  }

  package static func unreachableNode(_ name: String) -> Finding {
    Finding(.unreachableNode, "nothing reaches the node \(quote(name))")
  }

  package static func idleMaxDepth(_ node: String) -> Finding {
    Finding(
      .idleMaxDepth, "nothing pushes the node \(quote(node)), so its 'maxDepth' never applies")
  }

  package static func unboundedRecursion(_ name: String) -> Finding {
    Finding(
      .unboundedRecursion,
      "the node \(quote(name)) can be pushed onto itself without end; "
        + "'maxDepth' sets a limit")
  }

  package static func unboundedDialogs(_ name: String) -> Finding {
    Finding(
      .unboundedRecursion,
      "the dialog \(quote(name)) can be opened over itself without end; "
        + "'dismiss' before 'present' closes the one before")
  }
}

extension Sequence<Diagnostic> {
  /// Whether there are errors, all of them plugins that can't be loaded; the exit status is then 69
  /// instead of 65.
  package var onlyPluginsAreMissing: Bool {
    let errors = filter { $0.severity == .error }
    return !errors.isEmpty && errors.allSatisfy { $0.rule == .pluginUnavailable }
  }
}
