internal import Support

extension DocumentReader {
  mutating func readRoutes(_ value: Int) {
    if tree.entries[value].kind != .sequence { result.gaps.insert(.routes) }
    for element in list(value, "'routes'", of: [.mapping], keys: .route) {
      guard expectMapping(element, "a route") else {
        result.gaps.insert(.routes)
        continue
      }
      readRoute(element)
    }
  }

  private mutating func readRoute(_ index: Int) {
    let fields = fields(of: index, .route, owner: "the route")
    let (from, action) = (fields[.from]?.value, fields[.action]?.value)
    var any: SourceRange?
    if let from, tree.entries[from].kind == .scalar, tree.bytes(from).elementsEqual("any".utf8) {
      any = tree.range(from)
    }
    let sources = any == nil ? from.map { readSources($0) } : []
    let actions = action.map { distinct($0, "'action'") } ?? []
    let steps = readSteps(fields, of: index)
    let isRead = any != nil || sources?.count == count(of: from)
    if !isRead || actions.count != count(of: action) || tree.hasRefusedKey(index) {
      result.gaps.insert(.routes)
    }
    guard let sources else { return }
    result.manifest.routes.append(
      Manifest.Route(
        sources: sources, any: any, actions: actions, steps: steps, range: tree.range(index)))
  }

  /// The number of names in a value that is a name or a list of names.
  private func count(of value: Int?) -> Int {
    guard let value else { return 1 }
    return tree.entries[value].kind == .sequence ? max(1, tree.entries[value].length) : 1
  }

  private mutating func readSources(_ value: Int) -> [NodeReference] {
    distinct(value, "'from'").filter { name in
      guard name.value == "any" else {
        guard Grammar.reserved.contains(name.value) else { return true }
        result.report(
          .noTargetHere, at: name.range, "'from' needs a node; '\(name.value)' is reserved")
        return false
      }
      result.report(
        .wrongShape, at: name.range, "'any' must be alone, as in 'from: any', not in a list")
      return false
    }.map { NodeReference(name: $0.value, range: $0.range) }
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
    for element in list(value, subject, of: [], mayBeEmpty: false) {
      guard let word = word(element, "an entry of \(subject)") else { continue }
      if let first = seen[word.value] {
        report(
          .duplicateEntry, at: element, "\(quote(word.value)) appears twice in \(subject)",
          related: .init(.firstDefinition, at: first))
        continue
      }
      seen[word.value] = word.range
      words.append(word)
    }
    return words
  }

  private mutating func readSteps(_ fields: Fields, of route: Int) -> [Manifest.Step] {
    guard let doing = fields[.do] else {
      let start = tree.entries[route].start
      let place = SourceRange(file: tree.file, start: start, end: start)
      return readStep(fields, range: tree.range(route), verbless: place).map { [$0] } ?? []
    }
    if let verb = fields.verbs.first {
      reportSeveral("do", doing.key, verb)
    } else {
      for option in fields.options {
        let message = DiagnosticMessage(
          .misplacedOption,
          "'\(option.keyword.rawValue)' can't be combined with 'do'; put it next to its verb, in the braces",
          leavesGap: true)
        result.problems.append(Diagnostic(message, at: tree.range(option.key)))
      }
    }
    guard tree.entries[doing.value].kind == .sequence else {
      return readDoElement(doing.value).map { [$0] } ?? []
    }
    return list(doing.value, "'do'", of: [], mayBeEmpty: false).compactMap { readDoElement($0) }
  }

  private mutating func reportSeveral(_ first: String, _ firstKey: Int, _ second: Fields.Field) {
    report(
      .severalVerbs, at: second.key,
      "'\(second.keyword.rawValue)' can't be combined with '\(first)'; a route has one verb, "
        + "or several in a list under 'do'",
      related: .init(.other, at: tree.range(firstKey)))
  }

  private mutating func readDoElement(_ index: Int) -> Manifest.Step? {
    if tree.entries[index].kind == .mapping { return readStepMapping(index) }
    guard let word = word(index, "a step of 'do'") else { return nil }
    guard let verb = Verb(rawValue: word.value) else {
      let allowed = Verb.allCases.map(\.rawValue)
      let nearest = result.suggestions.nearest(to: word.value, among: allowed)
      report(
        .unknownVerb, at: index,
        "unknown verb \(quote(word.value))" + Wording.hint(nearest, allowed),
        correction: .init(word.value, nearest))
      return nil
    }
    guard !verb.takesTarget else {
      report(.missingTarget, at: index, "'\(verb)' needs a target: { \(verb): … }")
      return nil
    }
    return Manifest.Step(verb: verb, verbRange: word.range, range: word.range)
  }
}

// Steps.
extension DocumentReader {
  /// Reads a step that is a map of a verb and its options.
  mutating func readStepMapping(_ index: Int) -> Manifest.Step? {
    readStep(
      fields(of: index, .step), range: tree.range(index), verbless: tree.range(index))
  }

  /// Reads a verb with its target and options; `nil` if its target is invalid or there is no verb,
  /// which is reported at `verbless`.
  private mutating func readStep(
    _ fields: Fields, range: SourceRange, verbless: SourceRange
  ) -> Manifest.Step? {
    let verbs = fields.verbs
    guard let field = verbs.first, let verb = field.keyword.verb else {
      // Read all the same, so that the variables in it count as used.
      if let with = fields[.with] { _ = expression(with.value, hasPayload: true) }
      // An unknown key is most likely the misspelled verb, which is already reported.
      guard !fields.hasUnknownKey else { return nil }
      let allowed = Grammar.step.keywords.filter { $0.verb != nil }.map(\.rawValue)
      result.report(
        .missingVerb, at: verbless,
        "this route does nothing; it needs one of \(Wording.list(allowed)), or 'do: back', "
          + "'do: dismiss', 'do: quit' or 'do: ignore'")
      return nil
    }
    let second = verbs.dropFirst().first
    if let second {
      reportSeveral(verb.rawValue, field.key, second)
    } else if verb.takesTarget {
      for option in fields.options where !verb.options.contains(option.keyword) {
        let owners = Verb.allCases.filter { $0.options.contains(option.keyword) }
        reportMisplaced(option, verb.rawValue, owners.map(\.rawValue))
      }
    }
    var step = Manifest.Step(verb: verb, verbRange: tree.range(field.key), range: range)
    step.with = fields[.with].map { expression($0.value, hasPayload: true) }
    step.input = fields[.as].flatMap { word($0.value, "'as'") }
    step.isInclusive = bool(fields[.inclusive])
    step.isToAll = bool(fields[.toAll])
    step.isSingleTop = bool(fields[.singleTop])
    step.ifCovered = fields[.ifCovered].flatMap {
      choice($0, of: Manifest.Step.CoveredPolicy.self)
    }
    // Of two verbs, only that is reported.
    if second != nil, !verb.takesTarget { return nil }
    // The unknown key may be its `as`.
    let isGuess = verb == .notify && fields[.as] == nil && fields.hasUnknownKey
    guard readTarget(of: &step, field), !isGuess else { return nil }
    if let toAll = fields[.toAll], verb == .notify, let word = step.word {
      reportMisplaced(toAll, "notify: \(word.rawValue)", ["notify: <node>"])
    }
    return step
  }

  private mutating func reportMisplaced(
    _ option: Fields.Field, _ verb: String, _ owners: [String]
  ) {
    report(
      .misplacedOption, at: option.key,
      "'\(option.keyword.rawValue)' does not go with '\(verb)'; it goes with \(Wording.list(owners))"
    )
  }

  /// Reads what a verb is applied to; `false` if that is invalid, which is reported.
  private mutating func readTarget(
    of step: inout Manifest.Step, _ field: Fields.Field
  ) -> Bool {
    let verb = step.verb
    guard verb.takesTarget else {
      report(
        .superfluousTarget, at: field.key,
        "'\(verb)' has no target; write it as a word: 'do: \(verb)', or in the list under 'do'")
      return true
    }
    if tree.entries[field.value].kind == .scalar,
      let word = Manifest.Step.TargetWord(rawValue: tree.string(field.value)),
      word == .root ? verb == .popTo : verb == .notify
    {
      step.word = word
      return true
    }
    step.target = nodeName(field.value, after: verb.rawValue)
    return step.target != nil
  }
}
