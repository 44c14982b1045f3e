extension Problem {
  /// Whether something is left out of the manifest because of it: a key, a step, a whole route.
  ///
  /// What is missing then can't be told from what was never there, so nothing is said of that.
  public var leavesGap: Bool {
    switch kind {
    case .syntax, .unquotedTemplate, .undefinedAlias, .recursiveAlias, .mergeKey, .customTag,
      .keyNotText,
      .duplicateKey, .tooManyPairs, .unknownKey, .missingKey, .wrongShape, .unknownValue,
      .misplacedKey, .badFeatureName, .emptyList, .featureAndTabs, .backgroundWithoutTabs,
      .noTargetHere, .missingVerb, .severalVerbs, .unknownVerb, .missingTarget,
      .superfluousTarget, .optionBesideDo, .verbNotInLink, .badReference, .unclosedInsertion,
      .noPayload, .badLinkPath, .duplicateNode:
      true
    default: false
    }
  }
}
