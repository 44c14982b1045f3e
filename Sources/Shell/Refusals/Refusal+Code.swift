extension Refusal {
  /// The refusal's name for programs; stable, in kebab-case.
  public var code: String {
    switch self {
    case .badUTF8: "bad-utf8"
    case .containsNUL: "nul"
    case .tooLong: "line-too-long"
    case .badString: "bad-string"
    case .textAfterLabel: "text-after-label"
    case .identifierMissing: "identifier-missing"
    case .unterminatedText: "unterminated-text"
    case .badJSON: "bad-json"
    case .unknownCommand: "unknown-command"
    case .unsupportedCommand: "unsupported-command"
    case .argumentMissing: "argument-missing"
    case .argumentUnexpected: "argument-unexpected"
    case .badArgument: "bad-argument"
    case .noSuchControl, .noSuchIdentifier, .noSuchLabel: "no-such-control"
    case .ambiguousLabel: "ambiguous-label"
    case .ambiguousIdentifier: "ambiguous-id"
    case .numberIsLabel: "ambiguous-number"
    case .stale: "stale"
    case .noSuchScreen: "no-such-screen"
    case .disabled: "disabled"
    case .valueMissing: "value-missing"
    case .valueUnexpected: "value-unexpected"
    case .notANumber: "not-a-number"
    case .notOnOrOff: "not-on-or-off"
    case .noSuchOption: "no-such-option"
    case .ambiguousOption: "ambiguous-option"
    case .newlineInValue: "newline-in-value"
    case .wrongType: "wrong-type"
    case .nothingToPage: "nothing-to-page"
    case .noMorePages: "no-more-pages"
    case .noSuchPage: "no-such-page"
    case .notFound: "not-found"
    case .notShown: "not-shown"
    case .otherPath: "other-path"
    case .other(let code, _): code
    }
  }
}
