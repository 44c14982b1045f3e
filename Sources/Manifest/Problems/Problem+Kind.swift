extension Problem {
  /// What is wrong.
  ///
  /// Wording, code and severity follow from it. `nearest` is the name that was probably meant, `allowed` what may stand there.
  public enum Kind: Hashable, Sendable {
    // The text.
    case syntax(String)
    case badEncoding
    case controlCharacter(UInt32)
    case tabIndentation
    case unquotedIndicator(String)
    case escapedDollar
    case unknownEscape(String)
    case unquotedTemplate(String)
    case commentInText(String)
    case yesNoBoolean(word: String, meaning: Bool)
    case undefinedAlias(String, nearest: String?)
    case recursiveAlias(String)
    case mergeKey
    case customTag(String)
    case tagDirective
    case severalDocuments
    case emptyManifest
    case keyNotText
    case duplicateKey(String)
    case tooLarge(limit: Int)
    case tooNested(limit: Int)
    case tooManyAliases(limit: Int)
    case tooMuchExpansion(limit: Int)
    case tooManyPairs(limit: Int)

    // Keys and values.
    case unknownKey(String, in: String, nearest: String?, allowed: [String])
    case missingKey(String, or: String?, in: String)
    case wrongShape(subject: String, expected: String, found: String)
    case unknownValue(String, of: String, nearest: String?, allowed: [String])
    case unsupportedVersion(String)
    case misplacedKey(String)
    case badName(String, of: String)
    case badVariableName(String)
    case reservedName(String)
    case badFeatureName(String)
    case badVersionRequirement(String)
    case emptyList(String)
    case duplicateEntry(String, in: String)

    // Definitions and references.
    case duplicateNode(String)
    case duplicateRoute(node: String, action: String)
    case duplicateLink(String)
    case conflictingPlugin(String)
    case containerCycle([String])
    case featureAndTabs(node: String)
    case backgroundWithoutTabs(node: String)
    case unknownNode(String, nearest: String?, allowed: [String])
    case noTargetHere(word: String, verb: String)

    // Verbs.
    case missingVerb(allowed: [String])
    case severalVerbs(first: String, second: String)
    case unknownVerb(String, nearest: String?, allowed: [String])
    case missingTarget(verb: String)
    case superfluousTarget(verb: String)
    case misplacedOption(String, verb: String, belongsTo: [String])
    case optionBesideDo(String)
    case verbNotInLink(String, allowed: [String])

    // Expressions and variables.
    case badReference(String, nearest: String?)
    case unclosedInsertion(String)
    case noPayload(String)
    case unknownVariable(String, nearest: String?, allowed: [String])
    case variableNotLiteral(String)
    case unknownSetting(String, nearest: String?, allowed: [String])
    case unsetVariable(String, environment: String?)
    case unusedVariable(String)

    // Links and includes.
    case badLinkPath(String, reason: LinkPathReason)
    case equalLinks(String, String)
    case shadowedLink(String, String)
    case unknownParameter(String, nearest: String?, allowed: [String])
    case unusedParameter(String)
    case missingInclude(String, cause: String)
    case outsideInclude(String)
    case includeCycle([String])
    case includesTooDeep(limit: Int)

    // What only the features of plugins can tell.
    case pluginUnavailable(plugin: String, cause: String)
    case unusedPlugin(String)
    case unknownPlugin(String, nearest: String?, allowed: [String])
    case unknownFeature(String, nearest: String?, allowed: [String])
    case unknownDelegate(String, feature: String, nearest: String?, allowed: [String])
    case noSuchDelegate(String, nearest: String?, allowed: [String])
    case idleSource(node: String, actions: [String])
    case unroutedDelegate(String, node: String, feature: String)
    case unknownInput(String, feature: String, nearest: String?, allowed: [String])
    case noReceiver(String, receiver: String)
    case missingField(String, of: String, type: String?)
    case superfluousField(String, of: String, nearest: String?, allowed: [String])
    case unknownField(String, of: String, nearest: String?, allowed: [String])
    case typeMismatch(field: String, expected: String, actual: String)
    case notInsertable(String, type: String)
    case missingEnumCase(field: String, cases: [String])
    case neverApplies(verb: String, reason: String)
    case neverGiven(String, node: String, nearest: String?, allowed: [String])
    case textForReference(String, field: String, node: String)
    case idleRoute(actions: [String])
    case parameterConflict(String, first: String, second: String)
    case unsayableParameter(String, type: String)
    case unreachableNode(String)
    case unboundedRecursion(String)
  }

  /// What is wrong with the path of a link.
  public enum LinkPathReason: Hashable, Sendable {
    case isEmpty
    case isPosition
    case emptySegment
    case strayBrace
    case badParameterName(String)
    case duplicateParameter(String)
    case duplicateQueryKey(String)
    case badQuery(String)
    case badPercentEncoding
    case fragment
    case tooManySegments(limit: Int)
    case tooManyParameters(limit: Int)
  }
}
