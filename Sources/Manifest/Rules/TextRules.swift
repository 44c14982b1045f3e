package import Support

// Rules about the YAML text.
extension Rule {
  package static let syntax = Rule(
    "syntax", .error,
    means: "The text is not valid YAML. The message says what the parser found, and where.",
    remedy: "Correct the line above the caret; the usual cause is an unclosed quotation mark or "
      + "bracket, which is reported where it begins.")

  package static let badEncoding = Rule(
    "bad-encoding", .error,
    means: "A byte is not valid in UTF-8 or UTF-16 text.",
    remedy: "Save the file as UTF-8.")

  package static let controlCharacter = Rule(
    "control-character", .error,
    means: "YAML does not allow control characters in a string, not even in quotes.",
    remedy: "Remove the character, or write it as an escape in double quotes: \"\\x07\".")

  package static let tabIndentation = Rule(
    "tab-indentation", .error,
    means: "A line is indented with a tab, which YAML forbids.",
    remedy: "Indent with spaces.")

  package static let unquotedIndicator = Rule(
    "unquoted-indicator", .error,
    means: "A value begins with a character that has a special meaning in YAML, such as `>`, `*` "
      + "or `@`, or contains one inside braces, such as `{` or a `:` before a space.",
    remedy: "Put the value in quotes.")

  package static let escapedDollar = Rule(
    "escaped-dollar", .error,
    means: "`\\$` is not a YAML escape.",
    remedy: "Write `$$` for a literal `$`.")

  package static let unknownEscape = Rule(
    "unknown-escape", .error,
    means: "YAML does not define this escape.",
    remedy: "Double the backslash if it is meant literally, or put the text in single quotes.")

  package static let unquotedTemplate = Rule(
    "unquoted-template", .error,
    means: "Without quotes, `{$.a}` is a YAML map with one key, not a string with an inserted "
      + "value.",
    remedy: "Put the whole text in quotes.")

  package static let commentInText = Rule(
    "comment-in-text", .error,
    means: "A ` #` begins a comment, which cuts this text off. The rest contains a template, so "
      + "it was probably not meant as a comment.",
    remedy: "Put the whole text in quotes.")

  package static let yesNoBoolean = Rule(
    "yes-no-boolean", .error,
    means: "A word such as `yes` or `off` is used where a boolean is expected. It was a boolean "
      + "in YAML 1.1 and is text in YAML 1.2, so it is ambiguous.",
    remedy: "Write `true` or `false`.")

  package static let undefinedAlias = Rule(
    "undefined-alias", .error,
    means: "An alias refers to an anchor that is not defined before it.",
    remedy: "Define the anchor with `&name` above, or put the text in quotes if the `*` belongs "
      + "to it.")

  package static let recursiveAlias = Rule(
    "recursive-alias", .error,
    means: "An alias occurs inside the value that it refers to.",
    remedy: "Write the value out, or move the anchor.")

  package static let mergeKey = Rule(
    "merge-key", .error,
    means: "Merge keys (`<<`) are not part of YAML 1.2.",
    remedy: "Write the keys out; a whole value can be shared by an alias.")

  package static let customTag = Rule(
    "custom-tag", .error,
    means: "Tags such as `!path` and `%TAG` directives are not supported.",
    remedy: "Remove the tag or directive, or put the text in quotes if the `!` belongs to it.")

  package static let severalDocuments = Rule(
    "several-documents", .error,
    means: "The file contains a second document; a manifest is a single one.",
    remedy: "Move the rest to another file, and include it.")

  package static let emptyManifest = Rule(
    "empty-manifest", .error,
    means: "The file has no content.",
    remedy: "Begin with `appcore: 1`.")

  package static let keyNotText = Rule(
    "key-not-text", .error,
    means: "A key is a list, a map or nothing at all.",
    remedy: "Write a word or a quoted string.")

  package static let duplicateKey = Rule(
    "duplicate-key", .error,
    means: "The same key occurs twice in one map. YAML forbids this, and other tools silently use "
      + "one of the two.",
    remedy: "Remove or rename one of them.")

  package static let tooLarge = Rule(
    "too-large", .error,
    means: "The file is larger than the limit for a manifest.",
    remedy: "Split it with `include`.")

  package static let tooNested = Rule(
    "too-nested", .error,
    means: "Lists and maps are nested too deeply.",
    remedy: "Make the value flatter.")

  package static let tooManyAliases = Rule(
    "too-many-aliases", .error,
    means: "The file has too many aliases.",
    remedy: "Write some of the values out.")

  package static let tooMuchExpansion = Rule(
    "too-much-expansion", .error,
    means: "Aliases of aliases expand to too many values: a few lines can expand to billions.",
    remedy: "Write the values out, or share smaller ones.")

  package static let tooManyPairs = Rule(
    "too-many-pairs", .error,
    means: "The lists of `from` and `action` expand to too many pairs.",
    remedy: "Shorten the lists, or use `from: any`.")

  /// All rules of this file.
  package static let textRules: [Rule] = [
    .syntax, .badEncoding, .controlCharacter, .tabIndentation, .unquotedIndicator,
    .escapedDollar, .unknownEscape, .unquotedTemplate, .commentInText, .yesNoBoolean,
    .undefinedAlias, .recursiveAlias, .mergeKey, .customTag, .severalDocuments,
    .emptyManifest, .keyNotText, .duplicateKey, .tooLarge, .tooNested, .tooManyAliases,
    .tooMuchExpansion, .tooManyPairs,
  ]
}

extension Finding {
  package static func syntax(_ text: String) -> Finding {
    Finding(.syntax, text, leavesGap: true)
  }

  package static func missingSpace(after key: String) -> Finding {
    Finding(
      .syntax, "a space is missing after '\(key):'", leavesGap: true,
      correction: .init(":", ": ", isSource: true))
  }

  package static var missingSpaceAfterDash: Finding {
    Finding(
      .syntax, "a space is missing after '-'", leavesGap: true,
      correction: .init("-", "- ", isSource: true))
  }

  package static var missingEntryDash: Finding {
    Finding(
      .syntax, "a '-' is missing before this entry of the list, or its indentation is wrong",
      leavesGap: true)
  }

  package static func strayClosing(_ character: Character) -> Finding {
    Finding(.syntax, "this '\(character)' closes nothing", leavesGap: true)
  }

  package static var colonOnNextLine: Finding {
    Finding(.syntax, "the ':' belongs on the line of its key, not on the next one", leavesGap: true)
  }

  package static var notKeys: Finding {
    Finding(
      .syntax, "a manifest is keys and their values in YAML; it begins with 'appcore: 1'",
      leavesGap: true)
  }

  package static var mergeMark: Finding {
    Finding(
      .syntax, "version control could not merge what follows; keep one side, and remove the marks",
      leavesGap: true)
  }

  package static var slashComment: Finding {
    Finding(
      .syntax, "a comment begins with '#' in YAML, not with '//'", leavesGap: true,
      correction: .init("//", "#", isSource: true))
  }

  package static func otherSpace(_ scalar: Unicode.Scalar, after key: String) -> Finding {
    Finding(
      .syntax,
      "what follows '\(Wording.printable(key)):' is U+\(Wording.hex(scalar.value)), not a space; "
        + "write a space", leavesGap: true,
      correction: .init(String(Character(scalar)), " ", isSource: true))
  }

  package static func otherIndentation(_ text: String, _ scalar: Unicode.Scalar) -> Finding {
    Finding(
      .syntax,
      "this line is indented with U+\(Wording.hex(scalar.value)), not with spaces; write spaces",
      leavesGap: true,
      correction: .init(
        text, String(repeating: " ", count: text.unicodeScalars.count), isSource: true))
  }

  package static func missingComma(before key: String) -> Finding {
    Finding(
      .syntax, "a ',' is missing before \(quote(key))", leavesGap: true)
  }

  package static func equalsSign(after key: String, _ sign: String) -> Finding {
    Finding(
      .syntax, "'=' does not give a key its value; write '\(Wording.printable(key)): '",
      leavesGap: true, correction: .init(sign, ": ", isSource: true))
  }

  package static func missingColon(after key: String, isFollowed: Bool) -> Finding {
    Finding(
      .syntax, "a ':' is missing after \(quote(key))", leavesGap: true,
      correction: isFollowed ? .init("", ":", isSource: true) : nil)
  }

  package static var badEncoding: Finding {
    Finding(.badEncoding, "this is not text in UTF-8; save the file as UTF-8")
  }

  package static func controlCharacter(_ value: UInt32) -> Finding {
    Finding(
      .controlCharacter,
      "the control character U+\(Wording.hex(value)) is not allowed in a manifest; "
        + "write it as an escape in double quotes", leavesGap: true)
  }

  package static var tabIndentation: Finding {
    Finding(.tabIndentation, "a tab can't indent in YAML; use spaces")
  }

  package static func unquotedIndicator(_ text: String, in value: String?) -> Finding {
    Finding(
      .unquotedIndicator,
      "\(quote(text)) means something else to YAML at the start of a value; put it in quotes",
      correction: value.map { .init($0, $0) })
  }

  package static func unquotedText(_ character: Character, in value: String) -> Finding {
    Finding(
      .unquotedIndicator,
      "'\(character)' means something else to YAML inside braces; put \(quote(value)) in quotes",
      correction: .init(value, value))
  }

  package static func escapedDollar(isSpecial: Bool) -> Finding {
    Finding(
      .escapedDollar, "'\\$' is not an escape; a literal '$' at the start is written '$$'",
      correction: .init("\\$", isSpecial ? "$$" : "$", isSource: true))
  }

  package static func unknownEscape(_ text: String) -> Finding {
    Finding(
      .unknownEscape,
      "\(quote(text)) is not an escape in double quotes; double the backslash or use single quotes")
  }

  /// `value` is the whole text around the template; `nil` if its ends are not known.
  package static func unquotedTemplate(_ text: String, in value: String?) -> Finding {
    Finding(
      .unquotedTemplate,
      "\(quote(text)) without quotes is a map to YAML; put the text in quotes", leavesGap: true,
      correction: value.map { .init($0, $0) })
  }

  /// `value` is the text including the part that is cut off; `nil` if the text has quotes.
  package static func commentInText(
    _ text: String, isQuoted: Bool = false, in value: String? = nil
  ) -> Finding {
    Finding(
      .commentInText,
      "the text ends before \(quote(text)), which is a comment to YAML; "
        + (isQuoted ? "put it inside the quotes" : "put the text in quotes"),
      correction: value.map { .init($0, $0) })
  }

  package static func yesNoBoolean(word: String, meaning: Bool) -> Finding {
    Finding(
      .yesNoBoolean, "\(quote(word)) is text, not a bool; write '\(meaning)'",
      correction: .init(word, "\(meaning)"))
  }

  package static func undefinedAlias(_ name: String, nearest: Suggestion?) -> Finding {
    Finding(
      .undefinedAlias,
      "no anchor '&\(Wording.printable(name))' before this alias"
        + (nearest.map { "; did you mean '*\(Wording.printable($0.name))'?" }
          ?? "; put the text in quotes if the '*' belongs to it"),
      leavesGap: true,
      correction: nearest.map {
        .init("*\(name)", "*\($0.name)", isCertain: $0.isCertain, isSource: true)
      })
  }

  package static func recursiveAlias(_ name: String) -> Finding {
    Finding(
      .recursiveAlias,
      "the alias '*\(Wording.printable(name))' is inside its own anchor", leavesGap: true)
  }

  package static var mergeKey: Finding {
    Finding(
      .mergeKey,
      "merge keys ('<<') are not supported; write the keys out where they are needed",
      leavesGap: true)
  }

  package static func customTag(_ tag: String) -> Finding {
    Finding(
      .customTag,
      "the tag \(quote(shortened(tag))) is not supported; remove it, or quote the text if the '!' belongs to it",
      leavesGap: true)
  }

  /// A tag as people write it: libyaml expands `!!int` to `tag:yaml.org,2002:int`.
  private static func shortened(_ tag: String) -> String {
    let prefix = "tag:yaml.org,2002:"
    return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
  }

  package static var tagDirective: Finding {
    Finding(.customTag, "'%TAG' is not supported; remove it, and the tags that use it")
  }

  package static var severalDocuments: Finding {
    Finding(.severalDocuments, "a manifest is one document; move what follows to a file of its own")
  }

  package static var emptyManifest: Finding {
    Finding(.emptyManifest, "the manifest is empty; it begins with 'appcore: 1'")
  }

  package static var keyNotText: Finding {
    Finding(.keyNotText, "a key must be a word or quoted text", leavesGap: true)
  }

  package static func duplicateKey(_ key: String) -> Finding {
    Finding(.duplicateKey, "the key \(quote(key)) is already there", leavesGap: true)
  }

  package static func missingDash(before key: String) -> Finding {
    Finding(
      .duplicateKey,
      "the key \(quote(key)) is already there; a '-' is missing before it if another entry of the "
        + "list begins here", leavesGap: true)
  }

  package static func tooLarge(limit: Int) -> Finding {
    Finding(.tooLarge, "the file is larger than the limit of \(limit) bytes")
  }

  package static func tooNested(limit: Int) -> Finding {
    Finding(.tooNested, "this is nested deeper than the limit of \(limit) levels")
  }

  package static func tooManyAliases(limit: Int) -> Finding {
    Finding(.tooManyAliases, "there are more aliases than the limit of \(limit)")
  }

  package static func tooMuchExpansion(limit: Int) -> Finding {
    Finding(.tooMuchExpansion, "the aliases expand to more than the limit of \(limit) values")
  }

  package static func tooManyPairs(limit: Int) -> Finding {
    Finding(
      .tooManyPairs,
      "the routes expand to more than the limit of \(limit) pairs of node and action",
      leavesGap: true)
  }
}
