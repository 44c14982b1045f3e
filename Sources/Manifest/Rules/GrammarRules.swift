package import Support

// Rules about the grammar.
extension Rule {
  package static let unknownKey = Rule(
    "unknown-key", .error,
    means: "The key is not allowed here.",
    remedy: "Use the suggested key or one of the listed ones. At the top level, keys that begin "
      + "with `x-` are ignored; put anchors there.")

  package static let missingKey = Rule(
    "missing-key", .error,
    means: "A required key is missing.",
    remedy: "Add it.")

  package static let wrongShape = Rule(
    "wrong-shape", .error,
    means: "A value has the wrong type, such as a string instead of a list.",
    remedy: "Write what the message asks for.")

  package static let unknownValue = Rule(
    "unknown-value", .error,
    means: "A key does not accept this word.",
    remedy: "Use one of the listed words.")

  package static let unsupportedVersion = Rule(
    "unsupported-version", .error,
    means: "The manifest is written for another version of the format.",
    remedy: "Write `appcore: 1`, or use a program that reads that version.")

  package static let misplacedKey = Rule(
    "misplaced-key", .error,
    means:
      "`name`, `title`, `version`, `requires`, `start`, `vars` and `session` are allowed only in "
      + "the first manifest, not in an included one.",
    remedy: "Move the key to the first manifest.")

  package static let badName = Rule(
    "bad-name", .error,
    means: "The name of a node or variable contains a character that is not allowed: references "
      + "and links could not be written with it.",
    remedy: "For a node, write a lowercase letter followed by letters, digits and `-`; for a "
      + "variable, `_` is allowed anywhere too.")

  package static let reservedName = Rule(
    "reserved-name", .error,
    means: "A node has the name of a verb or a receiver.",
    remedy: "Choose another name.")

  package static let badFeatureName = Rule(
    "bad-feature-name", .error,
    means: "A feature is not written as the name of its plugin and its own name.",
    remedy: "Write `Plugin.Feature`.")

  package static let badVersionRequirement = Rule(
    "bad-version-requirement", .error,
    means: "The version requirement of a plugin or of appcore can't be parsed.",
    remedy: "Write one or more comparisons in quotes, such as `\">=1.0 <2\"`.")

  package static let unmetRequirement = Rule(
    "unmet-requirement", .error,
    means: "The app needs another version of appcore than this one.",
    remedy: "Run a version that satisfies it, or change `requires` if this one works.")

  package static let emptyList = Rule(
    "empty-list", .error,
    means: "A list that needs at least one entry is empty.",
    remedy: "Add an entry, or remove the key.")

  package static let duplicateEntry = Rule(
    "duplicate-entry", .error,
    means: "The same name occurs twice in one list.",
    remedy: "Remove one of them.")

  package static let missingVerb = Rule(
    "missing-verb", .error,
    means: "A route, or a step of it, does nothing.",
    remedy: "Add a verb, or `do: ignore` if nothing is meant to happen.")

  package static let severalVerbs = Rule(
    "several-verbs", .error,
    means: "Two verbs are given side by side, so their order is undefined.",
    remedy: "Put them in a list under `do`, in the intended order.")

  package static let unknownVerb = Rule(
    "unknown-verb", .error,
    means: "A word under `do` is not a verb.",
    remedy: "Use the suggested verb or one of the listed ones.")

  package static let missingTarget = Rule(
    "missing-target", .error,
    means: "A verb that needs a target node has none.",
    remedy: "Write `{ verb: node }`.")

  package static let superfluousTarget = Rule(
    "superfluous-target", .error,
    means: "`back`, `dismiss` and `ignore` take no target, so they are words, not keys.",
    remedy: "Write the word under `do`.")

  package static let misplacedOption = Rule(
    "misplaced-option", .error,
    means: "An option is given beside a verb that it does not apply to, or beside `do`.",
    remedy: "Remove it, or put it beside its verb, inside the braces.")

  package static let verbNotInLink = Rule(
    "verb-not-in-link", .error,
    means: "A link can only open nodes: it has no instance to leave or to notify.",
    remedy: "Use one of the listed verbs; a bare node is pushed, or selected after its container.")

  package static let badReference = Rule(
    "bad-reference", .error,
    means: "A value begins with `$` but is not a reference.",
    remedy: "Write `$`, `$.field`, `$vars.name`, `$dir` or `$data`; a literal `$` at the start is "
      + "`$$`.")

  package static let noFolder = Rule(
    "no-folder", .error,
    means: "`$data` or `~` stands for a folder that the environment does not name.",
    remedy: "Set `HOME`, or for `$data` also `STATE_DIRECTORY` or `XDG_DATA_HOME`, to an absolute "
      + "path.")

  package static let unclosedInsertion = Rule(
    "unclosed-insertion", .error,
    means: "A `{$` in a string has no `}`.",
    remedy: "Close it; a literal `{$` is written `{$$`.")

  package static let noPayload = Rule(
    "no-payload", .error,
    means: "`$` is used where there is no payload. A node's own `with` applies to every route to "
      + "the node, so no particular payload is known there.",
    remedy: "Give the value in the `with` of the route, or use a variable (`$vars`).")

  package static let variableNotLiteral = Rule(
    "variable-not-literal", .error,
    means: "The default of a variable contains a reference.",
    remedy: "Write a literal; a literal `$` is written `$$`.")

  package static let badLinkPath = Rule(
    "bad-link-path", .error,
    means: "The path of a link can't be parsed. The message says why.",
    remedy: "Write segments separated by slashes, each a literal or a whole parameter, then "
      + "optional parameters: `device/{id}?tab={tab}`.")

  /// All rules of this file.
  package static let grammarRules: [Rule] = [
    .unknownKey, .missingKey, .wrongShape, .unknownValue, .unsupportedVersion, .misplacedKey,
    .badName, .reservedName, .badFeatureName, .badVersionRequirement, .unmetRequirement,
    .emptyList,
    .duplicateEntry, .missingVerb, .severalVerbs, .unknownVerb, .missingTarget,
    .superfluousTarget, .misplacedOption, .verbNotInLink, .badReference, .noFolder,
    .unclosedInsertion,
    .noPayload, .variableNotLiteral, .badLinkPath,
  ]
}

extension Finding {
  package static func unknownKey(
    _ key: String, in place: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownKey,
      "unknown key \(quote(key)) in \(place)" + Wording.hint(nearest, allowed), leavesGap: true,
      correction: .init(key, nearest))
  }

  package static func outdentedKey(_ key: String, in place: String, of owner: String) -> Finding {
    Finding(
      .unknownKey,
      "unknown key \(quote(key)) in \(place); indent it further if it belongs to '\(owner)'",
      leavesGap: true)
  }

  package static func missingKey(_ key: String, or other: String?, in place: String) -> Finding {
    Finding(
      .missingKey,
      "\(place) has no '\(key)'" + (other.map { " and no '\($0)'" } ?? ""), leavesGap: true)
  }

  package static func wrongShape(subject: String, expected: String, found: String) -> Finding {
    Finding(.wrongShape, "\(subject) must be \(expected), not \(found)", leavesGap: true)
  }

  package static var quotedVersion: Finding {
    Finding(
      .wrongShape, "'appcore' must be the number 1, without quotes, not '1'", leavesGap: true,
      correction: .init("\"1\"", "1", isSource: true))
  }

  package static func unknownValue(
    _ value: String, of key: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownValue,
      "\(quote(value)) is not a value of '\(key)'" + Wording.hint(nearest, allowed),
      leavesGap: true,
      correction: .init(value, nearest))
  }

  package static func unsupportedVersion(_ text: String) -> Finding {
    Finding(
      .unsupportedVersion,
      "format version \(quote(text)) is not known; this program reads version 1")
  }

  package static func misplacedKey(_ key: String) -> Finding {
    Finding(
      .misplacedKey,
      "'\(key)' belongs in the first manifest, not in an included one", leavesGap: true)
  }

  package static func badName(_ name: String, of what: String) -> Finding {
    Finding(
      .badName,
      "\(quote(name)) is not a valid name for a \(what); "
        + "a name is a small letter, then letters, digits and '-'"
        + (OddLetter.description(in: name).map { "; \($0)" } ?? ""))
  }

  package static func badVariableName(_ name: String) -> Finding {
    Finding(
      .badName,
      "\(quote(name)) is not a valid name for a variable; "
        + "a name is a letter, then letters, digits, '_' and '-'")
  }

  package static func reservedName(_ name: String) -> Finding {
    Finding(.reservedName, "\(quote(name)) is a reserved word; choose another name")
  }

  package static func badFeatureName(_ name: String) -> Finding {
    Finding(
      .badFeatureName,
      "\(quote(name)) is not a feature name; expected 'Plugin.Feature'", leavesGap: true)
  }

  package static func badVersionRequirement(_ text: String) -> Finding {
    Finding(
      .badVersionRequirement,
      "\(quote(text)) is not a version requirement; write it like \">=1.0 <2\"")
  }

  package static func unmetRequirement(_ text: String, found: String) -> Finding {
    Finding(.unmetRequirement, "the app needs appcore \(quote(text)), and this is \(quote(found))")
  }

  package static func emptyList(_ subject: String) -> Finding {
    Finding(.emptyList, "\(subject) is an empty list", leavesGap: true)
  }

  package static func duplicateEntry(_ name: String, in place: String) -> Finding {
    Finding(.duplicateEntry, "\(quote(name)) appears twice in \(place)")
  }

  package static func missingVerb(allowed: [String]) -> Finding {
    Finding(
      .missingVerb,
      "this route does nothing; it needs one of \(Wording.list(allowed)), or 'do: back', "
        + "'do: dismiss' or 'do: ignore'", leavesGap: true)
  }

  package static func severalVerbs(first: String, second: String) -> Finding {
    Finding(
      .severalVerbs,
      "'\(second)' can't be combined with '\(first)'; a route has one verb, "
        + "or several in a list under 'do'",
      leavesGap: true)
  }

  package static func unknownVerb(_ verb: String, nearest: Suggestion?, allowed: [String])
    -> Finding
  {
    Finding(
      .unknownVerb,
      "unknown verb \(quote(verb))" + Wording.hint(nearest, allowed), leavesGap: true,
      correction: .init(verb, nearest))
  }

  package static func missingTarget(verb: String) -> Finding {
    Finding(.missingTarget, "'\(verb)' needs a target: { \(verb): … }", leavesGap: true)
  }

  package static func superfluousTarget(verb: String) -> Finding {
    Finding(
      .superfluousTarget,
      "'\(verb)' has no target; write it as a word: 'do: \(verb)', or in the list under 'do'",
      leavesGap: true)
  }

  package static func misplacedOption(
    _ option: String, verb: String, belongsTo owners: [String]
  ) -> Finding {
    Finding(
      .misplacedOption,
      "'\(option)' does not go with '\(verb)'; it goes with \(Wording.list(owners))")
  }

  package static func optionBesideDo(_ option: String) -> Finding {
    Finding(
      .misplacedOption,
      "'\(option)' can't be combined with 'do'; put it next to its verb, in the braces",
      leavesGap: true)
  }

  package static func verbNotInLink(_ verb: String, allowed: [String]) -> Finding {
    Finding(
      .verbNotInLink,
      "'\(verb)' can't be a step of a link" + Wording.hint(nil, allowed), leavesGap: true)
  }

  package static func badReference(_ text: String, nearest: Suggestion?) -> Finding {
    let message =
      if let nearest {
        "\(quote(text)) is not a reference; did you mean \(quote(nearest.name))?"
      } else {
        "\(quote(text)) is not a reference; allowed: '$', '$.field', '$vars.name', '$dir', "
          + "'$data', and '$$' for a literal '$'"
      }
    return Finding(
      .badReference, message, leavesGap: true, correction: .init(text, nearest))
  }

  package static func noFolder(_ text: String) -> Finding {
    let names = text == "~" ? "HOME" : "STATE_DIRECTORY, XDG_DATA_HOME or HOME"
    return Finding(
      .noFolder, "\(quote(text)) is not known here; set \(names) to an absolute path",
      leavesGap: true)
  }

  package static func unclosedInsertion(_ text: String) -> Finding {
    Finding(
      .unclosedInsertion,
      "\(quote(text)) has no '}'; a literal '{$' is written '{$$'", leavesGap: true)
  }

  package static func noPayload(_ text: String) -> Finding {
    Finding(
      .noPayload,
      "\(quote(text)) refers to a payload, and there is none here", leavesGap: true)
  }

  package static func variableNotLiteral(_ text: String) -> Finding {
    Finding(
      .variableNotLiteral,
      "a default is a literal, so \(quote(text)) can't refer to anything; "
        + "a literal '$' is written '$$'")
  }

  package static func badLinkPath(_ path: String, reason: LinkPathReason) -> Finding {
    Finding(.badLinkPath, "\(quote(path)) is not a link path: \(reason.text)", leavesGap: true)
  }
}
