internal import Support

extension DocumentReader {
  /// Reads a verb with its target and options; `nil` without a verb or if its target is invalid.
  mutating func readStep(
    _ fields: StepFields, range: SourceRange, scope: ExpressionScope
  ) -> Manifest.Step? {
    guard let field = fields.verb, let verb = field.keyword.verb else { return nil }
    if let second = fields.secondVerb {
      report(
        .severalVerbs(first: verb.rawValue, second: second.keyword.rawValue), at: second.key,
        related: .init(.other, at: tree.range(field.key)))
    } else if verb.takesTarget {
      for option in fields.options where !verb.options.contains(option.keyword) {
        let owners = Verb.allCases.filter { $0.options.contains(option.keyword) }
        report(
          .misplacedOption(
            option.keyword.rawValue, verb: verb.rawValue, belongsTo: owners.map(\.rawValue)),
          at: option.key)
      }
    }
    // The unknown key may be its `as`.
    let isGuess = verb == .notify && fields.input == nil && fields.hasUnknownKey
    let with = fields.with.map { expression($0.value, scope) }
    let input = fields.input.flatMap { word($0.value, "'as'") }
    let isInclusive = fields.inclusive.map { bool($0.value, .inclusive) } ?? false
    let isToAll = fields.toAll.map { bool($0.value, .toAll) } ?? false
    let isSingleTop = fields.singleTop.map { bool($0.value, .singleTop) } ?? false
    let ifCovered = fields.ifCovered.flatMap { field in
      choice(field.value, .ifCovered, of: Manifest.Step.CoveredPolicy.self)
    }
    // Of two verbs, only that is reported.
    if fields.secondVerb != nil, !verb.takesTarget { return nil }
    guard let action = readAction(verb, field), !isGuess else { return nil }
    if let toAll = fields.toAll, case .notify(let receiver) = action, let word = receiver.word {
      report(
        .misplacedOption("toAll", verb: "notify: \(word)", belongsTo: ["notify: <node>"]),
        at: toAll.key)
    }
    return Manifest.Step(
      action: action, verbRange: tree.range(field.key), with: with, input: input,
      ifCovered: ifCovered, isSingleTop: isSingleTop, isInclusive: isInclusive, isToAll: isToAll,
      isBareNode: false, range: range)
  }

  private mutating func readAction(
    _ verb: Verb, _ field: StepFields.Field
  ) -> Manifest.Step.Action? {
    let isScalar = tree.entries[field.value].kind == .scalar
    let range = tree.range(field.value)
    switch verb {
    case .back, .dismiss, .ignore:
      report(.superfluousTarget(verb: verb.rawValue), at: field.key)
      return verb == .back ? .back : verb == .dismiss ? .dismiss : .ignore
    case .popTo where isScalar && tree.bytes(field.value).elementsEqual("root".utf8):
      return .popTo(.root(range))
    case .notify where isScalar:
      switch tree.string(field.value) {
      case "current": return .notify(.current(range))
      case "presenter": return .notify(.presenter(range))
      case "opener": return .notify(.opener(range))
      default: break
      }
    case .push, .present, .replace, .select, .reset, .popTo, .notify: break
    }
    guard let node = nodeName(field.value, behind: verb.rawValue) else { return nil }
    switch verb {
    case .push: return .push(node)
    case .present: return .present(node)
    case .replace: return .replace(node)
    case .select: return .select(node)
    case .popTo: return .popTo(.node(node))
    case .reset: return .reset(node)
    case .notify: return .notify(.node(node))
    case .back, .dismiss, .ignore: return nil
    }
  }

  /// Reads one of a few words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ index: Int, _ key: Keyword, of: Choice.Type
  ) -> Located<Choice>? {
    guard let word = word(index, "'\(key.rawValue)'") else { return nil }
    if let choice = Choice(rawValue: word.value) { return Located(choice, at: word.range) }
    let allowed = Choice.allCases.map(\.rawValue)
    report(
      .unknownValue(
        word.value, of: key.rawValue,
        nearest: draft.suggestions.nearest(to: word.value, among: allowed), allowed: allowed),
      at: index)
    return nil
  }
}

extension Manifest.Step {
  /// Creates a step without arguments and options.
  init(_ action: Action, verb: SourceRange, range: SourceRange, isBareNode: Bool = false) {
    self.init(
      action: action, verbRange: verb, with: nil, input: nil, ifCovered: nil, isSingleTop: false,
      isInclusive: false, isToAll: false, isBareNode: isBareNode, range: range)
  }
}
