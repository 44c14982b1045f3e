internal import Support

extension DocumentReader {
  /// Reports a problem at a value or key.
  mutating func report(
    _ rule: Rule, at index: Int, _ message: String, correction: Correction? = nil,
    related: Diagnostic.Related? = nil
  ) {
    result.report(
      rule, at: tree.range(index), message, correction: correction, related: related)
  }

  /// The keys of a mapping that the grammar has; what else it has, and what it lacks, is reported.
  ///
  /// Messages call it `place`, and where it lacks a key `owner`.
  mutating func fields(
    of mapping: Int, _ grammar: Grammar, place: @autoclosure () -> String? = nil,
    owner: String? = nil
  ) -> Fields {
    var fields = Fields()
    for (key, value) in tree.pairs(of: mapping) {
      if let keyword = keyword(
        of: key, in: mapping, place: place() ?? grammar.place, grammar.keywords)
      {
        fields.all.append(Fields.Field(keyword: keyword, key: key, value: value))
      } else {
        fields.hasUnknownKey = true
      }
    }
    for key in grammar.requiredKeywords where fields[key] == nil {
      missing(key, in: owner ?? place() ?? grammar.place, at: mapping)
    }
    return fields
  }

  /// The keyword of a key; a key that is not allowed here is reported.
  ///
  /// For an unknown key this is the nearest keyword, so that a misspelling is reported once, and
  /// no problems follow from it; `nil` if the mapping has that keyword already.
  mutating func keyword(
    of key: Int, in mapping: Int, place: @autoclosure () -> String, _ allowed: [Keyword]
  ) -> Keyword? {
    // `back`, `dismiss`, `quit` and `ignore` can't be keys, but the reader of verbs has a better message.
    if let keyword = Keyword(tree.bytes(key)),
      allowed.contains(keyword) || keyword.verb != nil && allowed.contains(.push)
    {
      checkEmptied(keyword, key, in: mapping, allowed)
      return keyword
    }
    let name = tree.string(key)
    if let owner = emptied, owner.mapping == mapping {
      // One mistake, however many lines it has.
      if !owner.isReported {
        report(
          .unknownKey, at: key,
          "unknown key \(quote(name)) in \(place()); indent it further if it belongs to '\(owner.key)'"
        )
      }
      emptied?.isReported = true
      return nil
    }
    if let keyword = keywordWithoutColon(key, allowed) ?? keywordBeforeColon(key, allowed) {
      misspelt.append((mapping, key, keyword.rawValue))
      return nil
    }
    let names = allowed.map(\.rawValue)
    // GitHub's workflows and other tools say `on`, which YAML 1.1 reads as a bool.
    let words = allowed.contains(.push) ? Self.targetless.map(\.rawValue) : []
    let nearest =
      name == "on" && allowed.contains(.action)
      ? Suggestion("action", isCertain: true)
      : result.suggestions.nearest(to: name, among: names + words)
    let meant = nearest.flatMap { Keyword(rawValue: $0.name) }
    var isThere = false
    if let nearest, let meant {
      isThere =
        misspelt.lazy.reversed().prefix { $0.key >= mapping }
        .contains { $0.mapping == mapping && $0.nearest == nearest.name }
        || hasKey(meant, mapping)
      misspelt.append((mapping, key, nearest.name))
    }
    let read = isThere || meant.map(Self.targetless.contains) ?? true ? nil : meant
    result.problems.append(
      Diagnostic(
        DiagnosticMessage(
          .unknownKey, "unknown key \(quote(name)) in \(place())" + Wording.hint(nearest, names),
          leavesGap: read == nil, correction: isThere ? nil : .init(name, nearest)),
        at: tree.range(key)))
    return read
  }

  /// Whether a mapping has a key with the correct spelling.
  private func hasKey(_ keyword: Keyword, _ mapping: Int) -> Bool {
    tree.pairs(of: mapping).contains { Keyword(tree.bytes($0.key)) == keyword }
  }

  /// Remembers a key without a value if the keys that follow it are not known here: they were
  /// probably meant to be indented further.
  private mutating func checkEmptied(
    _ keyword: Keyword, _ key: Int, in mapping: Int, _ allowed: [Keyword]
  ) {
    let value = tree.entries[key].next
    guard [.with, .nodes, .vars, .requires, .session, .theme].contains(keyword), isEmpty(value),
      case let next = tree.entries[value].next, next < tree.entries[mapping].next,
      tree.entries[next].start.line > tree.entries[key].start.line,
      Keyword(tree.bytes(tree.resolve(next))).map({ !allowed.contains($0) }) ?? true
    else { return }
    emptied = (mapping, keyword.rawValue, false)
    skipped.insert(value)
  }

  /// Whether there is nothing in place of a value.
  private func isEmpty(_ index: Int) -> Bool {
    tree.entries[index].kind == .scalar && tree.entries[index].isPlain
      && tree.entries[index].length == 0
  }

  /// The keyword of a key without a colon after it: `feature Shop.List` is a single key to YAML.
  private mutating func keywordWithoutColon(_ key: Int, _ allowed: [Keyword]) -> Keyword? {
    guard isEmpty(tree.entries[key].next),
      let (keyword, space) = keyword(of: key, before: " ", allowed)
    else { return nil }
    reportPart(
      .syntax, "a ':' is missing after \(quote(keyword.rawValue))", key, space..<space,
      correction: .init("", ":", isSource: true))
    return keyword
  }

  /// The verbs that are words, not keys.
  private static let targetless: [Keyword] = [.back, .dismiss, .quit, .ignore]

  /// The keyword of a key without a space after its colon: `from:list` is a single key to YAML.
  private mutating func keywordBeforeColon(_ key: Int, _ allowed: [Keyword]) -> Keyword? {
    guard let (keyword, colon) = keyword(of: key, before: ":", allowed) else { return nil }
    reportPart(
      .syntax, "a space is missing after '\(keyword.rawValue):'", key, colon..<colon + 1,
      correction: .init(":", ": ", isSource: true))
    return keyword
  }

  /// The keyword before a character in the text of a plain key, and the place of the character.
  private func keyword(
    of key: Int, before character: Unicode.Scalar, _ allowed: [Keyword]
  ) -> (Keyword, end: Int)? {
    let text = tree.bytes(key)
    guard tree.entries[key].isPlain, let end = text.firstIndex(of: UInt8(ascii: character)),
      let keyword = Keyword(text[..<end]), allowed.contains(keyword)
    else { return nil }
    return (keyword, end - text.startIndex)
  }

  /// Reports a missing key at the beginning of the mapping.
  ///
  /// A key that is misspelt, or may come from a merge key, is not missing: the misspelling or the
  /// merge key is already reported.
  mutating func missing(
    _ key: Keyword, or other: Keyword? = nil, in place: String, at index: Int
  ) {
    let names = [key.rawValue, other?.rawValue]
    // The misspelt keys of this mapping are the last ones.
    let here = misspelt.lazy.reversed().prefix { $0.key >= index }
    if here.contains(where: { $0.mapping == index && names.contains($0.nearest) }) { return }
    if tree.hasRefusedKey(index) { return }
    let start = tree.entries[index].start
    result.report(
      .missingKey, at: SourceRange(file: tree.file, start: start, end: start),
      "\(place) has no '\(key.rawValue)'" + (other.map { " and no '\($0.rawValue)'" } ?? ""))
  }

  /// Reports a value of the wrong shape, unless it is already reported.
  mutating func wrongShape(
    _ index: Int, _ subject: String, expected: String, _ found: String? = nil
  ) {
    guard tree.entries[index].kind != .invalid, !skipped.contains(index) else { return }
    if expected.hasPrefix("a map"), tree.entries[index].kind == .scalar,
      keywordBeforeColon(index, Keyword.allCases) != nil
    {
      return
    }
    report(
      .wrongShape, at: index, "\(subject) must be \(expected), not \(found ?? shape(of: index))")
  }

  /// Whether a value is a mapping; reported if not.
  mutating func expectMapping(_ index: Int, _ subject: @autoclosure () -> String) -> Bool {
    if tree.entries[index].kind == .mapping { return true }
    wrongShape(index, subject(), expected: "a map")
    return false
  }

  /// The elements of a list; a value that is not a list is reported, and so is an empty list unless
  /// it is allowed.
  ///
  /// A single value in place of a list counts as its only element, so that only the missing
  /// brackets are reported; a map does if it has one of the keys of an element.
  mutating func list(
    _ index: Int, _ subject: @autoclosure () -> String, of kinds: [Tree.Entry.Kind],
    keys grammar: Grammar? = nil, mayBeEmpty: Bool = true
  ) -> [Int] {
    guard tree.entries[index].kind == .sequence else {
      wrongShape(index, subject(), expected: "a list")
      let isAlone = kinds.contains(tree.entries[index].kind) && !isNull(index)
      guard isAlone, tree.entries[index].kind == .mapping else { return isAlone ? [index] : [] }
      return grammar?.keywords.contains { hasKey($0, index) } == true ? [index] : []
    }
    if !mayBeEmpty, tree.entries[index].length == 0 {
      report(.emptyList, at: index, "\(subject()) is an empty list")
    }
    return Array(tree.elements(of: index))
  }

  /// A name, path or other text; any other value is reported.
  mutating func word(_ index: Int, _ subject: @autoclosure () -> String) -> Located<String>? {
    guard tree.entries[index].kind == .scalar, !isNull(index) else {
      wrongShape(index, subject(), expected: "text")
      return nil
    }
    return Located(tree.string(index), at: tree.range(index))
  }

  /// The path of a file; any other value is reported, and so is one with U+0000, where the system
  /// would end the path.
  mutating func path(_ index: Int, _ subject: String) -> Located<String>? {
    guard let path = word(index, subject) else { return nil }
    guard path.value.utf8.contains(0) else { return path }
    report(.wrongShape, at: index, "\(subject) must be a path, not text with U+0000")
    return nil
  }

  /// Text for people; any other value, and text that a comment cuts off, is reported.
  mutating func text(_ index: Int, _ subject: @autoclosure () -> String) -> Located<String>? {
    checkComment(index)
    return word(index, subject())
  }

  /// Reports a text that a comment cuts off.
  mutating func checkComment(_ index: Int) {
    guard !tree.cuts.isEmpty, let cut = tree.cuts[index] else { return }
    result.problems.append(cut.problem(isWhole: true))
  }

  /// A plain `true` or `false`; anything else is reported and counts as false.
  mutating func bool(_ field: Fields.Field?) -> Bool {
    guard let field else { return false }
    let scalar = tree.entries[field.value].kind == .scalar ? scalar(field.value) : nil
    if let value = scalar?.bool { return value }
    if let scalar, let meaning = scalar.oldBoolean {
      report(
        .yesNoBoolean, at: field.value,
        "\(quote(scalar.text)) is text, not a bool; write '\(meaning)'",
        correction: .init(scalar.text, "\(meaning)"))
    } else {
      wrongShape(field.value, "'\(field.keyword.rawValue)'", expected: "true or false")
    }
    return false
  }

  /// One of a few words; any other value is reported.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ field: Fields.Field, of: Choice.Type
  ) -> Located<Choice>? {
    let key = field.keyword.rawValue
    guard let word = word(field.value, "'\(key)'") else { return nil }
    if let choice = Choice(rawValue: word.value) { return Located(choice, at: word.range) }
    let allowed = Choice.allCases.map(\.rawValue)
    let nearest = result.suggestions.nearest(to: word.value, among: allowed)
    report(
      .unknownValue, at: field.value,
      "\(quote(word.value)) is not a value of '\(key)'" + Wording.hint(nearest, allowed),
      correction: .init(word.value, nearest))
    return nil
  }

  func scalar(_ index: Int) -> Scalar {
    Scalar(text: tree.string(index), isPlain: tree.entries[index].isPlain)
  }

  func isNull(_ index: Int) -> Bool {
    tree.entries[index].isPlain && tree.entries[index].length <= 4
      && CoreSchema.isNull(tree.string(index))
  }

  private func shape(of index: Int) -> String {
    switch tree.entries[index].kind {
    case .mapping: "a map"
    case .sequence: "a list"
    case .alias, .invalid: "this"
    case .scalar where isNull(index): tree.entries[index].length == 0 ? "nothing" : "null"
    case .scalar: quote(tree.string(index))
    }
  }
}

/// The keys of a mapping that the grammar has, before their values are read.
struct Fields {
  /// A key of the grammar, with the indexes of key and value.
  struct Field {
    let keyword: Keyword
    let key: Int
    let value: Int
  }

  fileprivate(set) var all: [Field] = []
  fileprivate(set) var hasUnknownKey = false

  var verbs: [Field] { all.filter { $0.keyword.verb != nil } }
  /// The options of a verb.
  var options: [Field] {
    all.filter { $0.keyword.verb == nil && Grammar.step.keywords.contains($0.keyword) }
  }

  subscript(keyword: Keyword) -> Field? { all.first { $0.keyword == keyword } }
}
