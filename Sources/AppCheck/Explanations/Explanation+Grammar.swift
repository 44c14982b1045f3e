// What does not fit the grammar.
extension Explanation {
  static let grammarEntries: [Entry] = [
    (
      "unknown-key", "A key has no meaning where it stands.",
      "Take the key that is suggested, or one of those that are listed. On the first level, a key "
        + "that begins with `x-` is ignored: a home for anchors."
    ),
    (
      "missing-key", "A key that must be there is missing.",
      "Add it."
    ),
    (
      "wrong-shape", "A value is of another kind than is due, such as a text instead of a list.",
      "Write what the message asks for."
    ),
    (
      "unknown-value", "A word is none of those that may stand here.",
      "Take one of those that are listed."
    ),
    (
      "unsupported-version", "The manifest is written for another version of the format.",
      "Write `appcore: 1`, or use a program that reads that version."
    ),
    (
      "misplaced-key",
      "`name`, `title`, `start` and `vars` belong in the first manifest, not in an included one.",
      "Move the key to the first manifest."
    ),
    (
      "bad-name",
      "A name of a node or variable has characters that names may not have. References and links "
        + "could not spell it.",
      "For a node write a small letter, then letters, digits and `-`; for a variable `_` may stand "
        + "anywhere too."
    ),
    (
      "reserved-name", "A node has the name of a verb or of a receiver.",
      "Choose another name."
    ),
    (
      "bad-feature-name", "A feature is not named by its plugin and its own name.",
      "Write `Plugin.Feature`."
    ),
    (
      "bad-version-requirement", "A requirement on a plugin's version can't be read.",
      "Write one or more comparisons in quotes, such as `\">=1.0 <2\"`."
    ),
    (
      "empty-list", "A list that must have something in it is empty.",
      "Add an entry, or remove the key."
    ),
    (
      "duplicate-entry", "The same name stands twice in one list.",
      "Remove one of them."
    ),
    (
      "missing-verb", "A route, or a step of it, does nothing.",
      "Add a verb; `do: ignore` says that nothing is meant to happen."
    ),
    (
      "several-verbs", "Two verbs stand side by side, and their order is not told.",
      "Put them in a list under `do`, in the order in which they are to happen."
    ),
    (
      "unknown-verb", "A word under `do` is no verb.",
      "Take the verb that is suggested, or one of those that are listed."
    ),
    (
      "missing-target", "A verb that needs a node has none.",
      "Write `{ verb: node }`."
    ),
    (
      "superfluous-target",
      "`back`, `dismiss` and `ignore` have no target, so they are words, not "
        + "keys.",
      "Write the word under `do`."
    ),
    (
      "misplaced-option",
      "An option stands beside a verb that it means nothing to, or beside `do`.",
      "Remove it, or put it beside its verb, in the braces."
    ),
    (
      "verb-not-in-link", "A link only enters: it has no instance to leave or to notify.",
      "Use the verbs that are listed; a bare node is pushed, or selected after its container."
    ),
    (
      "bad-reference", "A value begins with `$` and is no reference.",
      "Write `$`, `$.field`, `$vars.name` or `$dir`; a literal `$` at the start is `$$`."
    ),
    (
      "unclosed-insertion", "A `{$` in a text has no `}`.",
      "Close it; a literal `{$` is written `{$$`."
    ),
    (
      "no-payload",
      "`$` stands where there is no payload. A node's own `with` serves all routes to it, so "
        + "none of "
        + "their payloads is known there.",
      "Give the value in the `with` of the route, or take it from `$vars`."
    ),
    (
      "variable-not-literal", "The default of a variable refers to something.",
      "Write a literal; a literal `$` is written `$$`."
    ),
    (
      "bad-link-path", "The path of a link can't be read. The message says why.",
      "Write segments between slashes, each a text or a whole parameter, then optional parameters: "
        + "`device/{id}?tab={tab}`."
    ),
  ]
}
