internal import Support

extension DocumentReader {
  /// Reads `routes`.
  mutating func readRoutes(_ value: Int) {
    if tree.entries[value].kind != .sequence { draft.gaps.insert(.routes) }
    for element in list(value, "'routes'", of: [.mapping], keys: Self.routeKeys) {
      guard expectMapping(element, "a route") else {
        draft.gaps.insert(.routes)
        continue
      }
      readRoute(element)
    }
  }

  private static let routeKeys = Grammar.route.keywords
  static let stepKeys = Grammar.step.keywords
  static let verbKeys = Grammar.step.keywords.filter { $0.verb != nil }

  private mutating func readRoute(_ index: Int) {
    var fields = StepFields()
    var from: Int?
    var action: Int?
    var doing: (key: Int, value: Int)?
    for (key, value) in tree.pairs(of: index) {
      switch keyword(of: key, in: index, place: "a route", Self.routeKeys) {
      case .from: from = value
      case .action: action = value
      case .do: doing = (key, value)
      case let keyword?: fields.take(keyword, key, value)
      case nil: fields.hasUnknownKey = true
      }
    }
    if from == nil { missing(.from, in: "the route", at: index) }
    if action == nil { missing(.action, in: "the route", at: index) }
    let source = from.flatMap { readSource($0) }
    let actions = action.map { readActions($0) } ?? []
    let steps = readSteps(fields, doing: doing, of: index)
    let isRead = source.map { source in
      if case .nodes(let nodes) = source { nodes.count == count(of: from) } else { true }
    }
    if isRead != true || actions.count != count(of: action) || tree.hasRefusedKey(index) {
      draft.gaps.insert(.routes)
    }
    guard let source else { return }
    draft.manifest.routes.append(
      Manifest.Route(source: source, actions: actions, steps: steps, range: tree.range(index)))
  }

  /// The number of names in a value that is a name or a list of names.
  private func count(of value: Int?) -> Int {
    guard let value else { return 1 }
    return tree.entries[value].kind == .sequence ? max(1, tree.entries[value].length) : 1
  }

  private mutating func readSource(_ value: Int) -> Manifest.Route.Source? {
    if tree.entries[value].kind == .scalar, tree.bytes(value).elementsEqual("any".utf8) {
      return .any(tree.range(value))
    }
    let names = distinct(value, "'from'").filter { name in
      guard NodeName.reserved.contains(name.value) else { return true }
      if name.value == "any" {
        draft.problems.append(
          Diagnostic(
            .wrongShape(subject: "'any'", expected: "alone, as in 'from: any'", found: "in a list"),
            at: name.range))
        return false
      }
      draft.problems.append(
        Diagnostic(.noTargetHere(word: name.value, verb: "from"), at: name.range))
      return false
    }
    return .nodes(names.map { NodeReference(name: $0.value, range: $0.range, id: nil) })
  }

  private mutating func readActions(_ value: Int) -> [Located<String>] {
    distinct(value, "'action'")
  }

  /// Reads a word or a list of distinct words.
  private mutating func distinct(_ value: Int, _ subject: String) -> [Located<String>] {
    guard tree.entries[value].kind == .sequence else {
      if tree.entries[value].kind == .mapping {
        wrongShape(value, subject, expected: "a name or a list of names")
        return []
      }
      return word(value, subject).map { [$0] } ?? []
    }
    var words: [Located<String>] = []
    var seen: [String: SourceRange] = [:]
    for element in tree.elements(of: value) {
      guard let word = word(element, "an entry of \(subject)") else { continue }
      // Most lists are short: a table only pays for long ones.
      let first =
        words.count < 8
        ? words.first { $0.value == word.value }?.range : seen[word.value]
      if let first {
        report(
          .duplicateEntry(word.value, in: subject), at: element,
          related: .init(.firstDefinition, at: first))
        continue
      }
      words.append(word)
      if words.count == 8 {
        for word in words { seen[word.value] = word.range }
      } else if words.count > 8 {
        seen[word.value] = word.range
      }
    }
    if tree.entries[value].length == 0 { report(.emptyList(subject), at: value) }
    return words
  }

  private mutating func readSteps(
    _ fields: StepFields, doing: (key: Int, value: Int)?, of route: Int
  ) -> [Manifest.Step] {
    let scope = ExpressionScope(hasPayload: true)
    guard let doing else {
      if fields.verb == nil {
        let start = tree.entries[route].start
        missingVerb(fields, at: SourceRange(file: tree.file, start: start, end: start), scope)
        return []
      }
      return readStep(fields, range: tree.range(route), scope: scope).map { [$0] } ?? []
    }
    if let verb = fields.verb {
      report(
        .severalVerbs(first: "do", second: verb.keyword.rawValue), at: verb.key,
        related: .init(.other, at: tree.range(doing.key)))
    } else {
      for option in fields.options {
        report(.optionBesideDo(option.keyword.rawValue), at: option.key)
      }
    }
    return readDo(doing.value, scope)
  }

  private mutating func readDo(_ value: Int, _ scope: ExpressionScope) -> [Manifest.Step] {
    guard tree.entries[value].kind == .sequence else {
      return readDoElement(value, scope).map { [$0] } ?? []
    }
    if tree.entries[value].length == 0 { report(.emptyList("'do'"), at: value) }
    return tree.elements(of: value).compactMap { readDoElement($0, scope) }
  }

  private mutating func readDoElement(
    _ index: Int, _ scope: ExpressionScope
  ) -> Manifest.Step? {
    if tree.entries[index].kind == .mapping { return readStepMapping(index, scope) }
    guard let word = word(index, "a step of 'do'") else { return nil }
    let action: Manifest.Step.Action
    switch Keyword(rawValue: word.value)?.verb {
    case .back: action = .back
    case .dismiss: action = .dismiss
    case .ignore: action = .ignore
    case let verb?:
      report(.missingTarget(verb: verb.rawValue), at: index)
      return nil
    case nil:
      let allowed = Verb.allCases.map(\.rawValue)
      let nearest = draft.suggestions.nearest(to: word.value, among: allowed)
      report(.unknownVerb(word.value, nearest: nearest, allowed: allowed), at: index)
      return nil
    }
    return Manifest.Step(action, verb: word.range, range: word.range)
  }

  /// Reads a step that is a map of a verb and its options.
  mutating func readStepMapping(
    _ index: Int, _ scope: ExpressionScope
  ) -> Manifest.Step? {
    var fields = StepFields()
    for (key, value) in tree.pairs(of: index) {
      guard let keyword = keyword(of: key, in: index, place: "a step", Self.stepKeys) else {
        fields.hasUnknownKey = true
        continue
      }
      fields.take(keyword, key, value)
    }
    guard fields.verb != nil else {
      missingVerb(fields, at: tree.range(index), scope)
      return nil
    }
    return readStep(fields, range: tree.range(index), scope: scope)
  }

  /// Reports that there is no verb, unless a key is unknown: that is most likely the misspelled
  /// verb, which is already reported.
  ///
  /// `with` is read all the same, so that the variables in it count as used.
  private mutating func missingVerb(
    _ fields: StepFields, at range: SourceRange, _ scope: ExpressionScope
  ) {
    if let with = fields.with { _ = expression(with.value, scope) }
    guard !fields.hasUnknownKey else { return }
    draft.problems.append(
      Diagnostic(.missingVerb(allowed: Self.verbKeys.map(\.rawValue)), at: range))
  }
}
