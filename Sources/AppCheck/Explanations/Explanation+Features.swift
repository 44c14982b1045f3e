// What only the features of plugins can tell.
extension Explanation {
  static let featureEntries: [Entry] = [
    (
      "plugin-unavailable",
      "A plugin can't be had. Below stand the paths that were tried, or both sides of what does "
        + "not "
        + "match. What depends on the plugin is not reported again. When all errors are such, the "
        + "exit status is 69.",
      "Follow the help below the message; the plugin's own code is explained on this page too."
    ),
    (
      "unused-plugin", "No node uses a feature of a plugin.",
      "Remove the plugin, or use it."
    ),
    (
      "unknown-plugin", "A node names a feature of a plugin that the manifest does not list.",
      "Correct the name, or add the plugin under `plugins`."
    ),
    (
      "unknown-feature", "A plugin has no feature of that name.",
      "Take the name that is suggested, or one of those that are listed."
    ),
    (
      "unknown-delegate",
      "A route is for an action that the feature of its node does not emit, or that no feature "
        + "does.",
      "Take the name that is suggested, or one of those that are listed."
    ),
    (
      "idle-source", "Of a route's list of nodes, one has none of the actions.",
      "Remove the node from the list, or correct the actions."
    ),
    (
      "unrouted-delegate", "Nothing is said of what happens for a delegate action of a node.",
      "Add a route; `do: ignore` says that nothing is meant to happen."
    ),
    (
      "unknown-input", "The receiver has no input action of that name.",
      "Name one of those that are listed with `as`."
    ),
    (
      "no-receiver", "No node that can stand in the place of the receiver has that input action.",
      "Correct the name behind `as`, or notify a node that has it."
    ),
    (
      "missing-field",
      "A field that the target needs is not given: neither by the node, nor by the "
        + "route, nor by a default of the feature.",
      "Add it under `with`, of the node or of the route."
    ),
    (
      "superfluous-field", "A field is given that the target does not take.",
      "Take the name that is suggested, or remove the field."
    ),
    (
      "unknown-field", "A reference names a field that the payload does not have.",
      "Take the name that is suggested, or one of those that are listed."
    ),
    (
      "type-mismatch", "A value is of another type than the field that it is for.",
      "Give a value of the type that is named; a text with insertions is always a string."
    ),
    (
      "not-insertable", "Only strings, numbers and booleans can be inserted into a text.",
      "Insert a field of the value, or pass the whole value as a reference of its own."
    ),
    (
      "missing-case", "The source's enum has cases that the receiver's does not have.",
      "Add the cases to the receiver, or emit another action for them."
    ),
    (
      "never-applies", "A verb can never happen where it stands. The message says why.",
      "Choose another verb or target."
    ),
    (
      "idle-route",
      "A route for `any` never applies: every node that emits its actions has a route of its own.",
      "Remove it, or one of the others."
    ),
    (
      "never-given",
      "A tab or background instance refers to a field that nobody who enters its container gives.",
      "Take the name that is suggested, or give the field in the `with` of every route to the "
        + "container."
    ),
    (
      "text-for-reference",
      "A value is plain text that reads like a reference without its `$`, and the container is given "
        + "a field of that name.",
      "Write `$.field`."
    ),
    (
      "parameter-conflict",
      "A parameter of a link feeds fields of two types, and takes its type from what it feeds.",
      "Give the two fields parameters of their own."
    ),
    (
      "unsayable-parameter",
      "A parameter of a link feeds a list, a map or something else that an address can't say.",
      "Feed strings, numbers and booleans; the rest can stand in the `with` of the node."
    ),
    (
      "unreachable-node", "No route, tab, background, link or start leads to a node.",
      "Lead to it, or remove it."
    ),
    (
      "unbounded-recursion",
      "A node can be pushed onto itself without end. That is allowed, and costs no more than the "
        + "memory of its instances.",
      "Set `maxDepth` on the node if there should be a limit."
    ),
  ]
}
