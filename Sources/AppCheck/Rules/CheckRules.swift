package import Support

extension Rule {
  package static let pluginUnavailable = Rule(
    "plugin-unavailable",
    means: "A plugin can't be loaded. The lines below the message list the paths that were tried, "
      + "or both sides of a mismatch. Errors that follow from the missing plugin are not reported. "
      + "If all errors are of this kind, the exit status is 69.",
    remedy: "Follow the help below the message. The code in the line `code:` gives the reason; "
      + "`appcore explain` explains it too.")
  package static let unusedPlugin = Rule(
    "unused-plugin", .warning,
    means: "The manifest lists a plugin, but no node uses a feature of it.",
    remedy: "Remove the plugin, or use it.")
  package static let unknownPlugin = Rule(
    "unknown-plugin", means: "A node names a feature of a plugin that the manifest does not list.",
    remedy: "Correct the name, or add the plugin under `plugins`.")
  package static let unknownFeature = Rule(
    "unknown-feature", means: "The plugin has no feature of that name.",
    remedy: "Use the suggested name or one of the listed ones.")
  package static let unusableFeature = Rule(
    "unusable-feature",
    means: "A plugin has a feature that no manifest can use: an action of it can't be described, "
      + "such as a case with several values without labels. The message says which.",
    remedy: "Correct the feature, as the message says, and build the plugin again.")
  package static let plainSecret = Rule(
    "plain-secret", .warning,
    means: "A field of a feature is called like a secret, such as `password` or `token`, and is a "
      + "plain string: it is printed, recorded and kept like any other text.",
    remedy: "Make the field a `Secret` in the feature, or give it another name.")
  package static let unknownDelegate = Rule(
    "unknown-delegate",
    means: "A route handles an action that the feature of its node does not emit, or that no "
      + "feature emits.",
    remedy: "Use the suggested name or one of the listed ones.")
  package static let idleSource = Rule(
    "idle-source", means: "One of the nodes in a route's list has none of the route's actions.",
    remedy: "Remove the node from the list, or correct the actions.")
  package static let unroutedDelegate = Rule(
    "unrouted-delegate", means: "A delegate action of a node has no route.",
    remedy: "Add a route, with `do: ignore` if nothing is meant to happen.")
  package static let unknownInput = Rule(
    "unknown-input", means: "The receiver has no input action of that name.",
    remedy: "Use `as` with one of the listed names.")
  package static let noReceiver = Rule(
    "no-receiver", means: "No node that can be the receiver has that input action.",
    remedy: "Correct the name after `as`, or notify a node that has it.")
  package static let missingField = Rule(
    "missing-field",
    means: "A field that the target needs is given neither by the node nor by the route, and the "
      + "feature has no default for it.",
    remedy: "Add it under `with`, in the node or in the route.")
  package static let superfluousField = Rule(
    "superfluous-field", means: "A field is given that the target does not accept.",
    remedy: "Use the suggested name, or remove the field.")
  package static let unknownField = Rule(
    "unknown-field", means: "A reference names a field that the payload does not have.",
    remedy: "Use the suggested name or one of the listed ones.")
  package static let typeMismatch = Rule(
    "type-mismatch", means: "A value does not have the type of its field.",
    remedy: "Give a value of the expected type; text with insertions is always a string.")
  package static let notInsertable = Rule(
    "not-insertable", means: "Only strings, numbers and booleans can be inserted into text.",
    remedy: "Insert a field of the value, or pass the whole value as a reference of its own.")
  package static let missingCase = Rule(
    "missing-case", means: "The source's enum has cases that the receiver's enum lacks.",
    remedy: "Add the cases to the receiver, or emit another action for them.")
  package static let neverApplies = Rule(
    "never-applies", means: "A verb can never apply here. The message says why.",
    remedy: "Choose another verb or target.")
  package static let neverGiven = Rule(
    "never-given",
    means: "A tab or background instance refers to a field that no route to its container gives.",
    remedy: "Use the suggested name, or give the field in the `with` of every route to the "
      + "container.")
  package static let textForReference = Rule(
    "text-for-reference",
    means: "A plain string looks like a reference without its `$`, and the container is given a "
      + "field of that name.",
    remedy: "Write `$.field`.")
  package static let idleRoute = Rule(
    "idle-route", .warning,
    means: "A route for `any` never applies: each node that emits one of its actions has a route "
      + "of its own for that action.",
    remedy: "Remove it, or one of the others.")
  package static let parameterConflict = Rule(
    "parameter-conflict",
    means: "A link parameter is used for fields of two types, but it can only have one.",
    remedy: "Use a separate parameter for each field.")
  package static let unsayableParameter = Rule(
    "unsayable-parameter",
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
  package static let buildsDiffer = Rule(
    "builds-differ", .warning,
    means: "The search path has two builds of a plugin with the same version but different "
      + "interfaces, so the check depends on which is found first. The message shows one "
      + "difference; `appcore interface --compare` lists all.",
    remedy: "Give the build with the changed interface its own version, or remove the unwanted "
      + "one.")
  package static let unknownCode = Rule(
    "unknown-code", .warning,
    means: "A comment `# appcore: ignore` names a code that no rule has, so it ignores nothing.",
    remedy: "Correct the code; `appcore explain` lists all codes.")

  package static let checkRules: [Rule] = [
    .pluginUnavailable, .unusedPlugin, .unknownPlugin, .unknownFeature, .unusableFeature,
    .plainSecret, .unknownDelegate, .idleSource, .unroutedDelegate, .unknownInput, .noReceiver,
    .missingField, .superfluousField, .unknownField, .typeMismatch, .notInsertable, .missingCase,
    .neverApplies, .neverGiven, .textForReference, .idleRoute, .parameterConflict,
    .unsayableParameter, .unreachableNode, .unboundedRecursion, .idleMaxDepth, .buildsDiffer,
    .unknownCode,
  ]
}
