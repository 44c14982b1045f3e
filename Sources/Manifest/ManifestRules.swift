package import Support

/// The rules that a manifest can break by itself.
extension Rule {
  // About the YAML text.
  package static let syntax = Rule(
    "syntax", leavesGap: true,
    means: "The text is not valid YAML. The message says what the parser found, and where.",
    remedy: "Correct the line above the caret; the usual cause is an unclosed quotation mark or "
      + "bracket, which is reported where it begins.")
  package static let badEncoding = Rule(
    "bad-encoding", means: "A byte is not valid in UTF-8 or UTF-16 text.",
    remedy: "Save the file as UTF-8.")
  package static let controlCharacter = Rule(
    "control-character", leavesGap: true,
    means: "YAML does not allow control characters in a string, not even in quotes.",
    remedy: "Remove the character, or write it as an escape in double quotes: \"\\x07\".")
  package static let tabIndentation = Rule(
    "tab-indentation", means: "A line is indented with a tab, which YAML forbids.",
    remedy: "Indent with spaces.")
  package static let unquotedIndicator = Rule(
    "unquoted-indicator",
    means: "A value begins with a character that has a special meaning in YAML, such as `>`, `*` "
      + "or `@`, or contains one inside braces, such as `{` or a `:` before a space.",
    remedy: "Put the value in quotes.")
  package static let escapedDollar = Rule(
    "escaped-dollar", means: "`\\$` is not a YAML escape.", remedy: "Write `$$` for a literal `$`.")
  package static let unknownEscape = Rule(
    "unknown-escape", means: "YAML does not define this escape.",
    remedy: "Double the backslash if it is meant literally, or put the text in single quotes.")
  package static let unquotedTemplate = Rule(
    "unquoted-template", leavesGap: true,
    means: "Without quotes, `{$.a}` is a YAML map with one key, not a string with an inserted "
      + "value.",
    remedy: "Put the whole text in quotes.")
  package static let commentInText = Rule(
    "comment-in-text",
    means: "A ` #` begins a comment, which cuts this text off. The rest contains a template, so it "
      + "was probably not meant as a comment.",
    remedy: "Put the whole text in quotes.")
  package static let yesNoBoolean = Rule(
    "yes-no-boolean",
    means: "A word such as `yes` or `off` is used where a boolean is expected. It was a boolean in "
      + "YAML 1.1 and is text in YAML 1.2, so it is ambiguous.",
    remedy: "Write `true` or `false`.")
  package static let undefinedAlias = Rule(
    "undefined-alias", leavesGap: true,
    means: "An alias refers to an anchor that is not defined before it.",
    remedy: "Define the anchor with `&name` above, or put the text in quotes if the `*` belongs to "
      + "it.")
  package static let recursiveAlias = Rule(
    "recursive-alias", leavesGap: true,
    means: "An alias occurs inside the value that it refers to.",
    remedy: "Write the value out, or move the anchor.")
  package static let mergeKey = Rule(
    "merge-key", leavesGap: true, means: "Merge keys (`<<`) are not part of YAML 1.2.",
    remedy: "Write the keys out; a whole value can be shared by an alias.")
  package static let customTag = Rule(
    "custom-tag", leavesGap: true,
    means: "Tags such as `!path` and `%TAG` directives are not supported.",
    remedy: "Remove the tag or directive, or put the text in quotes if the `!` belongs to it.")
  package static let severalDocuments = Rule(
    "several-documents", means: "The file contains a second document; a manifest is a single one.",
    remedy: "Move the rest to another file, and include it.")
  package static let emptyManifest = Rule(
    "empty-manifest", means: "The file has no content.", remedy: "Begin with `appcore: 1`.")
  package static let keyNotText = Rule(
    "key-not-text", leavesGap: true, means: "A key is a list, a map or nothing at all.",
    remedy: "Write a word or a quoted string.")
  package static let duplicateKey = Rule(
    "duplicate-key", leavesGap: true,
    means: "The same key occurs twice in one map. YAML forbids this, and other tools silently use "
      + "one of the two.",
    remedy: "Remove or rename one of them.")
  package static let tooLarge = Rule(
    "too-large", means: "The file is larger than the limit for a manifest.",
    remedy: "Split it with `include`.")
  package static let tooNested = Rule(
    "too-nested", means: "Lists and maps are nested too deeply.", remedy: "Make the value flatter.")
  package static let tooManyAliases = Rule(
    "too-many-aliases", means: "The file has too many aliases.",
    remedy: "Write some of the values out.")
  package static let tooMuchExpansion = Rule(
    "too-much-expansion",
    means: "Aliases of aliases expand to too many values: a few lines can expand to billions.",
    remedy: "Write the values out, or share smaller ones.")
  package static let tooManyPairs = Rule(
    "too-many-pairs", leavesGap: true,
    means: "The lists of `from` and `action` expand to too many pairs.",
    remedy: "Shorten the lists, or use `from: any`.")

  // About the grammar.
  package static let unknownKey = Rule(
    "unknown-key", leavesGap: true, means: "The key is not allowed here.",
    remedy: "Use the suggested key or one of the listed ones. At the top level, keys that begin "
      + "with `x-` are ignored; put anchors there.")
  package static let missingKey = Rule(
    "missing-key", leavesGap: true, means: "A required key is missing.", remedy: "Add it.")
  package static let wrongShape = Rule(
    "wrong-shape", leavesGap: true,
    means: "A value has the wrong type, such as a string instead of a list.",
    remedy: "Write what the message asks for.")
  package static let unknownValue = Rule(
    "unknown-value", leavesGap: true, means: "A key does not accept this word.",
    remedy: "Use one of the listed words.")
  package static let unsupportedVersion = Rule(
    "unsupported-version", means: "The manifest is written for another version of the format.",
    remedy: "Write `appcore: 1`, or use a program that reads that version.")
  package static let misplacedKey = Rule(
    "misplaced-key", leavesGap: true,
    means: "`name`, `title`, `version`, `requires`, `start`, `vars` and `session` are allowed only "
      + "in the first manifest, not in an included one.",
    remedy: "Move the key to the first manifest.")
  package static let badName = Rule(
    "bad-name",
    means: "The name of a node or variable contains a character that is not allowed: references "
      + "and links could not be written with it.",
    remedy: "For a node, write a lowercase letter followed by letters, digits and `-`; for a "
      + "variable, `_` is allowed anywhere too.")
  package static let reservedName = Rule(
    "reserved-name", means: "A node has the name of a verb or a receiver.",
    remedy: "Choose another name.")
  package static let badFeatureName = Rule(
    "bad-feature-name", leavesGap: true,
    means: "A feature is not written as the name of its plugin and its own name.",
    remedy: "Write `Plugin.Feature`.")
  package static let badVersionRequirement = Rule(
    "bad-version-requirement",
    means: "The version requirement of a plugin or of appcore can't be parsed.",
    remedy: "Write one or more comparisons in quotes, such as `\">=1.0 <2\"`.")
  package static let unmetRequirement = Rule(
    "unmet-requirement", means: "The app needs another version of appcore than this one.",
    remedy: "Run a version that satisfies it, or change `requires` if this one works.")
  package static let emptyList = Rule(
    "empty-list", leavesGap: true, means: "A list that needs at least one entry is empty.",
    remedy: "Add an entry, or remove the key.")
  package static let duplicateEntry = Rule(
    "duplicate-entry", means: "The same name occurs twice in one list.",
    remedy: "Remove one of them.")
  package static let missingVerb = Rule(
    "missing-verb", leavesGap: true, means: "A route, or a step of it, does nothing.",
    remedy: "Add a verb, or `do: ignore` if nothing is meant to happen.")
  package static let severalVerbs = Rule(
    "several-verbs", leavesGap: true,
    means: "Two verbs are given side by side, so their order is undefined.",
    remedy: "Put them in a list under `do`, in the intended order.")
  package static let unknownVerb = Rule(
    "unknown-verb", leavesGap: true, means: "A word under `do` is not a verb.",
    remedy: "Use the suggested verb or one of the listed ones.")
  package static let missingTarget = Rule(
    "missing-target", leavesGap: true, means: "A verb that needs a target node has none.",
    remedy: "Write `{ verb: node }`.")
  package static let superfluousTarget = Rule(
    "superfluous-target", leavesGap: true,
    means: "`back`, `dismiss` and `ignore` take no target, so they are words, not keys.",
    remedy: "Write the word under `do`.")
  package static let misplacedOption = Rule(
    "misplaced-option",
    means: "An option is given beside a verb that it does not apply to, or beside `do`.",
    remedy: "Remove it, or put it beside its verb, inside the braces.")
  package static let verbNotInLink = Rule(
    "verb-not-in-link", leavesGap: true,
    means: "A link can only open nodes: it has no instance to leave or to notify.",
    remedy: "Use one of the listed verbs; a bare node is pushed, or selected after its container.")
  package static let badReference = Rule(
    "bad-reference", leavesGap: true, means: "A value begins with `$` but is not a reference.",
    remedy: "Write `$`, `$.field`, `$vars.name`, `$dir` or `$data`; a literal `$` at the start is "
      + "`$$`.")
  package static let noFolder = Rule(
    "no-folder", leavesGap: true,
    means: "`$data` or `~` stands for a folder that the environment does not name.",
    remedy: "Set `HOME`, or for `$data` also `STATE_DIRECTORY` or `XDG_DATA_HOME`, to an absolute "
      + "path.")
  package static let unclosedInsertion = Rule(
    "unclosed-insertion", leavesGap: true, means: "A `{$` in a string has no `}`.",
    remedy: "Close it; a literal `{$` is written `{$$`.")
  package static let noPayload = Rule(
    "no-payload", leavesGap: true,
    means: "`$` is used where there is no payload. A node's own `with` applies to every route to "
      + "the node, so no particular payload is known there.",
    remedy: "Give the value in the `with` of the route, or use a variable (`$vars`).")
  package static let variableNotLiteral = Rule(
    "variable-not-literal", means: "The default of a variable contains a reference.",
    remedy: "Write a literal; a literal `$` is written `$$`.")
  package static let badLinkPath = Rule(
    "bad-link-path", leavesGap: true,
    means: "The path of a link can't be parsed. The message says why.",
    remedy: "Write segments separated by slashes, each a literal or a whole parameter, then "
      + "optional parameters: `device/{id}?tab={tab}`.")

  // About names and references.
  package static let duplicateNode = Rule(
    "duplicate-node", leavesGap: true, means: "Two nodes have the same name, perhaps in two files.",
    remedy: "Rename or remove one of them.")
  package static let formerName = Rule(
    "former-name",
    means: "`was` gives a name that does not say which node is meant: that of a node there is, or "
      + "one that another node had, too.",
    remedy: "Name what only this node was called; leave `was` out if its name has not changed.")
  package static let duplicateRoute = Rule(
    "duplicate-route", means: "Two routes handle the same action of the same node.",
    remedy: "Remove one of them, or combine them in a list under `do`.")
  package static let duplicateLink = Rule(
    "duplicate-link", means: "Two links have the same path.", remedy: "Remove one of them.")
  package static let conflictingPlugin = Rule(
    "conflicting-plugin",
    means: "A plugin is named twice with different settings, perhaps in two files.",
    remedy: "Make the entries equal, or remove one of them.")
  package static let containerCycle = Rule(
    "container-cycle", means: "Containers open one another, so opening one would never end.",
    remedy: "Make one of them start with another tab, or remove the tab.")
  package static let featureAndTabs = Rule(
    "feature-and-tabs", leavesGap: true, means: "A node has both a feature and tabs.",
    remedy: "Split it into two nodes.")
  package static let backgroundWithoutTabs = Rule(
    "background-without-tabs", leavesGap: true,
    means: "A node that is not a container has a `background`. Only a container or the manifest "
      + "itself can have one.",
    remedy: "Move the `background` to the top level of the manifest, or to the container.")
  package static let unknownNode = Rule(
    "unknown-node", means: "A node is used that is not defined.",
    remedy: "Correct the name, or define the node.")
  package static let noTargetHere = Rule(
    "no-target-here", leavesGap: true,
    means: "A reserved word is used where a node is required, such as `push: current`.",
    remedy: "Name a node.")
  package static let unknownVariable = Rule(
    "unknown-variable", means: "`$vars.name` refers to a variable that is not defined.",
    remedy: "Correct the name, or define it under `vars`.")
  package static let unknownSetting = Rule(
    "unknown-setting", means: "`--set` names a variable that the manifest does not have.",
    remedy: "Correct the name on the command line.")
  package static let unsetVariable = Rule(
    "unset-variable",
    means: "A variable has no value: neither `--set`, nor an environment variable, nor a default "
      + "gives one.",
    remedy: "Give it a `default`, set its environment variable, or write `--set name=value`.")
  package static let unusedVariable = Rule(
    "unused-variable", .warning, means: "A variable is defined but never used.",
    remedy: "Remove it, or use it as `$vars.name`.")
  package static let equalLinks = Rule(
    "equal-links",
    means: "Two links have the same shape, so every address of one also matches the other.",
    remedy: "Distinguish them by a literal segment.")
  package static let shadowedLink = Rule(
    "shadowed-link", means: "Two links match the same address, and neither is more specific.",
    remedy: "Distinguish them by a literal segment in the same position.")
  package static let unknownParameter = Rule(
    "unknown-parameter",
    means: "A step of a link refers to a parameter that its path does not have.",
    remedy: "Correct the name, or add the parameter to the path.")
  package static let unusedParameter = Rule(
    "unused-parameter", .warning, means: "A parameter of a link's path is never used.",
    remedy: "Use it as `$.name` in a `with` of the link.")
  package static let missingInclude = Rule(
    "missing-include", means: "An included file can't be read.",
    remedy: "Correct the path; it is relative to the folder of the file that contains it.")
  package static let unreadableManifest = Rule(
    "unreadable-manifest",
    means: "The manifest can't be read. The exit status is 66; without `--format`, the message is "
      + "printed on standard error without a code.",
    remedy: "Name a manifest that exists and is readable.")
  package static let outsideInclude = Rule(
    "outside-include",
    means: "An included file is outside the folder of the first manifest. A manifest may include "
      + "only files from that folder, unless the user allows more.",
    remedy: "Move the file into the folder, or use `--allow-outside`.")
  package static let includeCycle = Rule(
    "include-cycle", means: "Files include one another.",
    remedy: "Remove one of the includes; move what both files need into a third.")
  package static let includesTooDeep = Rule(
    "includes-too-deep", means: "Includes are nested too deeply.",
    remedy: "Include the files from a file that is less deeply nested.")

  package static let manifestRules: [Rule] = [
    .syntax, .badEncoding, .controlCharacter, .tabIndentation, .unquotedIndicator, .escapedDollar,
    .unknownEscape, .unquotedTemplate, .commentInText, .yesNoBoolean, .undefinedAlias,
    .recursiveAlias, .mergeKey, .customTag, .severalDocuments, .emptyManifest, .keyNotText,
    .duplicateKey, .tooLarge, .tooNested, .tooManyAliases, .tooMuchExpansion, .tooManyPairs,
    .unknownKey, .missingKey, .wrongShape, .unknownValue, .unsupportedVersion, .misplacedKey,
    .badName, .reservedName, .badFeatureName, .badVersionRequirement, .unmetRequirement, .emptyList,
    .duplicateEntry, .missingVerb, .severalVerbs, .unknownVerb, .missingTarget, .superfluousTarget,
    .misplacedOption, .verbNotInLink, .badReference, .noFolder, .unclosedInsertion, .noPayload,
    .variableNotLiteral, .badLinkPath, .duplicateNode, .formerName, .duplicateRoute, .duplicateLink,
    .conflictingPlugin, .containerCycle, .featureAndTabs, .backgroundWithoutTabs, .unknownNode,
    .noTargetHere, .unknownVariable, .unknownSetting, .unsetVariable, .unusedVariable, .equalLinks,
    .shadowedLink, .unknownParameter, .unusedParameter, .missingInclude, .unreadableManifest,
    .outsideInclude, .includeCycle, .includesTooDeep,
  ]
}
