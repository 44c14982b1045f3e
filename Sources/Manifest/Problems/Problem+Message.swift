internal import Diagnostics

extension Problem {
  /// What is wrong, in one line without place and code; names the remedy where there is one.
  public var message: String {
    textMessage ?? keyMessage ?? graphMessage ?? linkMessage ?? featureMessage ?? ""
  }

  func quote(_ text: String) -> String { "'\(Wording.printable(text))'" }

  private var textMessage: String? {
    switch kind {
    case .syntax(let text): text
    case .badEncoding: "this is not text in UTF-8; save the file as UTF-8"
    case .controlCharacter(let value):
      "the control character U+\(Self.hex(value)) can't stand in a manifest; "
        + "write it as an escape in double quotes"
    case .tabIndentation: "a tab can't indent in YAML; use spaces"
    case .unquotedIndicator(let text):
      "\(quote(text)) means something else to YAML at the start of a value; put it in quotes"
    case .escapedDollar: "'\\$' is no escape; a literal '$' at the start is written '$$'"
    case .unknownEscape(let text):
      "\(quote(text)) is no escape in double quotes; double the backslash or use single quotes"
    case .unquotedTemplate(let text):
      "\(quote(text)) without quotes is a map to YAML; put the text in quotes"
    case .commentInText(let text):
      "the text ends before \(quote(text)), which is a comment to YAML; put the text in quotes"
    case .yesNoBoolean(let word, let meaning):
      "\(quote(word)) is text, not a bool; write '\(meaning)'"
    case .undefinedAlias(let name, let nearest):
      "no anchor '&\(Wording.printable(name))' before this alias"
        + (nearest.map { "; did you mean '*\(Wording.printable($0))'?" }
          ?? "; put the text in quotes if the '*' belongs to it")
    case .recursiveAlias(let name):
      "the alias '*\(Wording.printable(name))' stands within its own anchor"
    case .mergeKey: "merge keys ('<<') are not supported; write the keys out where they are needed"
    case .customTag(let tag):
      "the tag \(quote(tag)) is not supported; remove it, or quote the text if the '!' belongs to it"
    case .tagDirective: "'%TAG' is not supported; remove it, and the tags that use it"
    case .severalDocuments: "a manifest is one document; move what follows to a file of its own"
    case .emptyManifest: "the manifest is empty; it begins with 'appcore: 1'"
    case .keyNotText: "a key must be a word or quoted text"
    case .duplicateKey(let key): "the key \(quote(key)) is already there"
    case .tooLarge(let limit): "the file is larger than the limit of \(limit) bytes"
    case .tooNested(let limit): "this is nested deeper than the limit of \(limit) levels"
    case .tooManyAliases(let limit): "there are more aliases than the limit of \(limit)"
    case .tooMuchExpansion(let limit):
      "the aliases stand for more than the limit of \(limit) values"
    case .tooManyPairs(let limit):
      "the routes stand for more than the limit of \(limit) pairs of node and action"
    default: nil
    }
  }

  private var keyMessage: String? {
    switch kind {
    case .unknownKey(let key, let place, let nearest, let allowed):
      "unknown key \(quote(key)) in \(place)" + Wording.hint(nearest, allowed)
    case .missingKey(let key, let other, let place):
      "\(place) has no '\(key)'" + (other.map { " and no '\($0)'" } ?? "")
    case .wrongShape(let subject, let expected, let found):
      "\(subject) must be \(expected), not \(found)"
    case .unknownValue(let value, let key, let nearest, let allowed):
      "\(quote(value)) is no value of '\(key)'" + Wording.hint(nearest, allowed)
    case .unsupportedVersion(let text):
      "format version \(quote(text)) is not known; this program reads version 1"
    case .misplacedKey(let key): "'\(key)' belongs in the first manifest, not in an included one"
    case .badName(let name, let what):
      "\(quote(name)) is no name for a \(what); "
        + "a name is a small letter, then letters, digits and '-'"
    case .badVariableName(let name):
      "\(quote(name)) is no name for a variable; "
        + "a name is a letter, then letters, digits, '_' and '-'"
    case .reservedName(let name): "\(quote(name)) is a reserved word; choose another name"
    case .badFeatureName(let name):
      "\(quote(name)) is no feature; a feature is named 'Plugin.Feature'"
    case .badVersionRequirement(let text):
      "\(quote(text)) is no version requirement; write it like \">=1.0 <2\""
    case .emptyList(let subject): "\(subject) is an empty list"
    case .duplicateEntry(let name, let place): "\(quote(name)) stands twice in \(place)"
    default: nil
    }
  }

  private var graphMessage: String? {
    switch kind {
    case .duplicateNode(let name): "the node \(quote(name)) is already defined"
    case .duplicateRoute(let node, let action):
      "\(quote(action)) of \(quote(node)) already has a route"
    case .duplicateLink(let path): "the link \(quote(path)) is already defined"
    case .conflictingPlugin(let name):
      "the plugin \(quote(name)) is already there with other settings"
    case .containerCycle(let nodes):
      "these containers open one another without end: "
        + nodes.map(Wording.printable).joined(separator: " -> ")
    case .featureAndTabs(let node):
      "the node \(quote(node)) has both 'feature' and 'tabs'; it can be one of the two"
    case .backgroundWithoutTabs(let node):
      "the node \(quote(node)) has a 'background' but no 'tabs'; "
        + "only a container or the manifest itself has one"
    case .unknownNode(let name, let nearest, let allowed):
      "unknown node \(quote(name))" + Wording.hint(nearest, allowed, what: "nodes")
    case .noTargetHere(let word, let verb): "'\(word)' can't stand behind '\(verb)'; name a node"
    case .missingVerb(let allowed):
      "this route does nothing; it needs 'do' or one of \(Wording.list(allowed))"
    case .severalVerbs(let first, let second):
      "'\(second)' stands beside '\(first)'; a route has one verb, and more in a list under 'do'"
    case .unknownVerb(let verb, let nearest, let allowed):
      "unknown verb \(quote(verb))" + Wording.hint(nearest, allowed)
    case .missingTarget(let verb): "'\(verb)' needs a target: { \(verb): … }"
    case .superfluousTarget(let verb):
      "'\(verb)' has no target; write it as a word: 'do: \(verb)', or in the list under 'do'"
    case .misplacedOption(let option, let verb, let owners):
      "'\(option)' does not go with '\(verb)'; it goes with \(Wording.list(owners))"
    case .optionBesideDo(let option):
      "'\(option)' can't stand beside 'do'; put it beside its verb, in the braces"
    case .verbNotInLink(let verb, let allowed):
      "'\(verb)' can't be a step of a link" + Wording.hint(nil, allowed)
    default: nil
    }
  }

  private var linkMessage: String? {
    switch kind {
    case .badReference(let text, let nearest):
      if let nearest {
        "\(quote(text)) is no reference; did you mean \(quote(nearest))?"
      } else {
        "\(quote(text)) is no reference; allowed: '$', '$.field', '$vars.name', '$dir', "
          + "and '$$' for a literal '$'"
      }
    case .unclosedInsertion(let text): "\(quote(text)) has no '}'; a literal '{$' is written '{$$'"
    case .noPayload(let text): "\(quote(text)) refers to a payload, and there is none here"
    case .unknownVariable(let name, let nearest, let allowed):
      "unknown variable \(quote(name))" + Wording.hint(nearest, allowed, what: "variables")
    case .variableNotLiteral(let text):
      "a default is a literal, so \(quote(text)) can't refer to anything; "
        + "a literal '$' is written '$$'"
    case .unknownSetting(let name, let nearest, let allowed):
      "--set names the unknown variable \(quote(name))"
        + Wording.hint(nearest, allowed, what: "variables")
    case .unsetVariable(let name, let environment):
      "the variable \(quote(name)) has no value; "
        + (environment.map { "set \($0) in the environment, or " } ?? "")
        + "give it a 'default' or --set \(name)=…"
    case .unusedVariable(let name): "nothing uses the variable \(quote(name))"
    case .badLinkPath(let path, let reason):
      "\(quote(path)) is no path of a link: \(reason.text)"
    case .equalLinks(let path, let first):
      "the links \(quote(path)) and \(quote(first)) have the same shape"
    case .shadowedLink(let path, let first):
      "the links \(quote(path)) and \(quote(first)) fit the same address, and neither is nearer"
    case .unknownParameter(let name, let nearest, let allowed):
      "the link has no parameter \(quote(name))"
        + Wording.hint(nearest, allowed, what: "parameters")
    case .unusedParameter(let name): "nothing uses the parameter \(quote(name))"
    case .missingInclude(let path, let cause): "can't read the include \(quote(path)): \(cause)"
    case .outsideInclude(let path):
      "the include \(quote(path)) stands outside the folder of the first manifest; "
        + "'--allow-outside' allows it"
    case .includeCycle(let paths):
      "these includes make a circle: " + paths.map(Wording.printable).joined(separator: " -> ")
    case .includesTooDeep(let limit): "includes are nested deeper than the limit of \(limit)"
    default: nil
    }
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
