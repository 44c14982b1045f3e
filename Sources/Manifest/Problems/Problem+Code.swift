extension Problem {
  /// The kind of problem as a word in kebab case, such as `unknown-node`: what tools match on.
  public var code: String {
    switch kind {
    case .syntax: "syntax"
    case .badEncoding: "bad-encoding"
    case .controlCharacter: "control-character"
    case .tabIndentation: "tab-indentation"
    case .unquotedIndicator: "unquoted-indicator"
    case .escapedDollar: "escaped-dollar"
    case .unknownEscape: "unknown-escape"
    case .unquotedTemplate: "unquoted-template"
    case .commentInText: "comment-in-text"
    case .yesNoBoolean: "yes-no-boolean"
    case .undefinedAlias: "undefined-alias"
    case .recursiveAlias: "recursive-alias"
    case .mergeKey: "merge-key"
    case .customTag, .tagDirective: "custom-tag"
    case .severalDocuments: "several-documents"
    case .emptyManifest: "empty-manifest"
    case .keyNotText: "key-not-text"
    case .duplicateKey: "duplicate-key"
    case .tooLarge: "too-large"
    case .tooNested: "too-nested"
    case .tooManyAliases: "too-many-aliases"
    case .tooMuchExpansion: "too-much-expansion"
    case .tooManyPairs: "too-many-pairs"
    case .unknownKey: "unknown-key"
    case .missingKey: "missing-key"
    case .wrongShape: "wrong-shape"
    case .unknownValue: "unknown-value"
    case .unsupportedVersion: "unsupported-version"
    case .misplacedKey: "misplaced-key"
    case .badName, .badVariableName: "bad-name"
    case .reservedName: "reserved-name"
    case .badFeatureName: "bad-feature-name"
    case .badVersionRequirement: "bad-version-requirement"
    case .emptyList: "empty-list"
    case .duplicateEntry: "duplicate-entry"
    case .duplicateNode: "duplicate-node"
    case .duplicateRoute: "duplicate-route"
    case .duplicateLink: "duplicate-link"
    case .conflictingPlugin: "conflicting-plugin"
    case .containerCycle: "container-cycle"
    case .featureAndTabs: "feature-and-tabs"
    case .backgroundWithoutTabs: "background-without-tabs"
    case .unknownNode: "unknown-node"
    case .noTargetHere: "no-target-here"
    case .missingVerb: "missing-verb"
    case .severalVerbs: "several-verbs"
    case .unknownVerb: "unknown-verb"
    case .missingTarget: "missing-target"
    case .superfluousTarget: "superfluous-target"
    case .misplacedOption, .optionBesideDo: "misplaced-option"
    case .verbNotInLink: "verb-not-in-link"
    case .badReference: "bad-reference"
    case .unclosedInsertion: "unclosed-insertion"
    case .noPayload: "no-payload"
    case .unknownVariable: "unknown-variable"
    case .variableNotLiteral: "variable-not-literal"
    case .unknownSetting: "unknown-setting"
    case .unsetVariable: "unset-variable"
    case .unusedVariable: "unused-variable"
    case .badLinkPath: "bad-link-path"
    case .equalLinks: "equal-links"
    case .shadowedLink: "shadowed-link"
    case .unknownParameter: "unknown-parameter"
    case .unusedParameter: "unused-parameter"
    case .missingInclude: "missing-include"
    case .outsideInclude: "outside-include"
    case .includeCycle: "include-cycle"
    case .includesTooDeep: "includes-too-deep"
    case .pluginUnavailable: "plugin-unavailable"
    case .unusedPlugin: "unused-plugin"
    case .unknownPlugin: "unknown-plugin"
    case .unknownFeature: "unknown-feature"
    case .unknownDelegate, .noSuchDelegate: "unknown-delegate"
    case .idleSource: "idle-source"
    case .unroutedDelegate: "unrouted-delegate"
    case .unknownInput: "unknown-input"
    case .noReceiver: "no-receiver"
    case .missingField: "missing-field"
    case .superfluousField: "superfluous-field"
    case .unknownField: "unknown-field"
    case .typeMismatch: "type-mismatch"
    case .notInsertable: "not-insertable"
    case .missingEnumCase: "missing-case"
    case .neverApplies: "never-applies"
    case .neverGiven: "never-given"
    case .textForReference: "text-for-reference"
    case .idleRoute: "idle-route"
    case .parameterConflict: "parameter-conflict"
    case .unsayableParameter: "unsayable-parameter"
    case .unreachableNode: "unreachable-node"
    case .unboundedRecursion: "unbounded-recursion"
    }
  }

  /// How much it weighs.
  public var severity: Severity {
    switch kind {
    case .unusedVariable, .unusedParameter, .unusedPlugin, .unreachableNode, .idleRoute:
      .warning
    case .unboundedRecursion: .note
    default: .error
    }
  }

  /// Whether a plugin can't be had: when all errors are such, the exit status is 69.
  public var isUnavailablePlugin: Bool {
    if case .pluginUnavailable = kind { true } else { false }
  }
}
