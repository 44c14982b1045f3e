/// The keys of a step, before their values are read.
struct StepFields {
  /// A key of the grammar, with the indexes of key and value.
  struct Field {
    let keyword: Keyword
    let key: Int
    let value: Int
  }

  private(set) var verb: Field?
  private(set) var secondVerb: Field?
  private(set) var with: Field?
  private(set) var input: Field?
  private(set) var toAll: Field?
  private(set) var inclusive: Field?
  private(set) var singleTop: Field?
  private(set) var ifCovered: Field?
  var hasUnknownKey = false

  /// Stores a key that is a verb or an option.
  mutating func take(_ keyword: Keyword, _ key: Int, _ value: Int) {
    let field = Field(keyword: keyword, key: key, value: value)
    switch keyword {
    case .push, .present, .replace, .select, .popTo, .reset, .notify, .back, .dismiss, .ignore:
      if verb == nil { verb = field } else if secondVerb == nil { secondVerb = field }
    case .with: with = field
    case .as: input = field
    case .toAll: toAll = field
    case .inclusive: inclusive = field
    case .singleTop: singleTop = field
    case .ifCovered: ifCovered = field
    default: break
    }
  }

  /// The options in the order of the grammar.
  var options: [Field] {
    [with, input, toAll, inclusive, singleTop, ifCovered].compactMap { $0 }
  }
}
