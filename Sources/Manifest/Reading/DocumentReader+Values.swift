internal import Support

extension DocumentReader {
  /// Reports a problem at a value or key.
  mutating func report(
    _ finding: Finding, at index: Int, related: Diagnostic.Related? = nil
  ) {
    draft.problems.append(Diagnostic(finding, at: tree.range(index), related: related))
  }

  /// The keyword of a key; a key that is not allowed here is reported.
  ///
  /// For an unknown key this is the nearest keyword, so that a misspelling is reported once, and
  /// no problems follow from it; `nil` if the mapping has that keyword already.
  mutating func keyword(
    of key: Int, in mapping: Int, place: @autoclosure () -> String, _ allowed: [Keyword]
  ) -> Keyword? {
    // `back`, `dismiss` and `ignore` can't be keys, but the reader of verbs has a better message.
    if let keyword = Keyword(tree.bytes(key)),
      allowed.contains(keyword) || keyword.verb != nil && allowed.contains(.push)
    {
      noteEmptied(keyword, key, in: mapping, allowed)
      return keyword
    }
    draft.counter.count()
    let name = tree.string(key)
    if let owner = emptied, owner.mapping == mapping {
      // One mistake, however many lines it has.
      if !owner.isReported { report(.outdentedKey(name, in: place(), of: owner.key), at: key) }
      emptied?.isReported = true
      return nil
    }
    if let keyword = keywordWithoutColon(key, allowed) {
      misspelt.append((mapping, key, keyword.rawValue))
      return nil
    }
    if let keyword = keywordBeforeColon(key, allowed) {
      misspelt.append((mapping, key, keyword.rawValue))
      return nil
    }
    let names = allowed.map(\.rawValue)
    // GitHub's workflows and other tools say `on`, which YAML 1.1 reads as a bool.
    let words = allowed.contains(.push) ? Self.targetless.map(\.rawValue) : []
    let nearest =
      name == "on" && allowed.contains(.action)
      ? Suggestion("action", isCertain: true)
      : draft.suggestions.nearest(to: name, among: names + words)
    let finding = Finding.unknownKey(name, in: place(), nearest: nearest, allowed: names)
    guard let nearest, let keyword = Keyword(rawValue: nearest.name) else {
      report(finding, at: key)
      return nil
    }
    let isThere =
      misspelt.lazy.reversed().prefix { $0.key >= mapping }
      .contains { $0.mapping == mapping && $0.nearest == nearest.name }
      || hasKey(keyword, mapping)
    misspelt.append((mapping, key, nearest.name))
    let isRead = !isThere && !Self.targetless.contains(keyword)
    report(isThere ? finding.withoutCorrection : isRead ? finding.withoutGap : finding, at: key)
    return isRead ? keyword : nil
  }

  /// Whether a mapping has a key with the correct spelling.
  private func hasKey(_ keyword: Keyword, _ mapping: Int) -> Bool {
    draft.counter.count(tree.entries[mapping].length)
    return tree.pairs(of: mapping).contains { Keyword(tree.bytes($0.key)) == keyword }
  }

  /// Notes a key without a value if the keys that follow it are not known here: they were probably
  /// meant to be indented further.
  private mutating func noteEmptied(
    _ keyword: Keyword, _ key: Int, in mapping: Int, _ allowed: [Keyword]
  ) {
    let value = tree.entries[key].next
    guard [.with, .nodes, .vars, .requires, .session].contains(keyword), isEmpty(value),
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
    let text = tree.bytes(key)
    guard tree.entries[key].isPlain, isEmpty(tree.entries[key].next),
      let space = text.firstIndex(of: 0x20),
      let keyword = Keyword(UnsafeBufferPointer(rebasing: text[..<space])),
      allowed.contains(keyword)
    else { return nil }
    reportPart(.missingColon(after: keyword.rawValue, isFollowed: true), key, space..<space)
    return keyword
  }

  /// The verbs that are words, not keys.
  private static let targetless: [Keyword] = [.back, .dismiss, .ignore]

  /// The keyword of a key without a space after its colon: `from:list` is a single key to YAML.
  private mutating func keywordBeforeColon(_ key: Int, _ allowed: [Keyword]) -> Keyword? {
    let text = tree.bytes(key)
    guard tree.entries[key].isPlain, let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let keyword = Keyword(UnsafeBufferPointer(rebasing: text[..<colon])),
      allowed.contains(keyword)
    else { return nil }
    reportPart(
      .missingSpace(after: keyword.rawValue), key, colon..<colon + 1)
    return keyword
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
    draft.problems.append(
      Diagnostic(
        .missingKey(key.rawValue, or: other?.rawValue, in: place),
        at: SourceRange(file: tree.file, start: start, end: start)))
  }

  /// Reports a value of the wrong shape, unless it is already reported.
  mutating func wrongShape(_ index: Int, _ subject: String, expected: String) {
    guard tree.entries[index].kind != .invalid, !skipped.contains(index) else { return }
    if expected.hasPrefix("a map"), tree.entries[index].kind == .scalar,
      keywordBeforeColon(index, Keyword.allCases) != nil
    {
      return
    }
    report(.wrongShape(subject: subject, expected: expected, found: shape(of: index)), at: index)
  }

  /// Whether a value is a mapping; reported if not.
  mutating func expectMapping(_ index: Int, _ subject: @autoclosure () -> String) -> Bool {
    if tree.entries[index].kind == .mapping { return true }
    wrongShape(index, subject(), expected: "a map")
    return false
  }

  /// The elements of a list; a value that is not a list is reported.
  ///
  /// A single value in place of a list counts as its only element, so that only the missing
  /// brackets are reported; a map does if it has one of the keys of an element.
  mutating func list(
    _ index: Int, _ subject: @autoclosure () -> String, of kinds: [Tree.Entry.Kind],
    keys: [Keyword] = []
  ) -> [Int] {
    guard tree.entries[index].kind == .sequence else {
      wrongShape(index, subject(), expected: "a list")
      let isAlone = kinds.contains(tree.entries[index].kind) && !isNull(index)
      guard isAlone, tree.entries[index].kind == .mapping else { return isAlone ? [index] : [] }
      return keys.contains { hasKey($0, index) } ? [index] : []
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
  mutating func path(_ index: Int, _ subject: @autoclosure () -> String) -> Located<String>? {
    guard let path = word(index, subject()) else { return nil }
    guard path.value.utf8.contains(0) else { return path }
    report(
      .wrongShape(subject: subject(), expected: "a path", found: "text with U+0000"), at: index)
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
    draft.problems.append(cut.problem(isWhole: true))
  }

  /// A plain `true` or `false`; anything else is reported and counts as false.
  mutating func bool(_ index: Int, _ key: Keyword) -> Bool {
    let subject = "'\(key.rawValue)'"
    guard tree.entries[index].kind == .scalar else {
      wrongShape(index, subject, expected: "true or false")
      return false
    }
    let scalar = scalar(index)
    if let value = scalar.bool { return value }
    if scalar.isPlain, let meaning = CoreSchema.oldBoolean(scalar.text) {
      report(.yesNoBoolean(word: scalar.text, meaning: meaning), at: index)
    } else {
      wrongShape(index, subject, expected: "true or false")
    }
    return false
  }

  /// The scalar at an index.
  func scalar(_ index: Int) -> Scalar {
    Scalar(text: tree.string(index), isPlain: tree.entries[index].isPlain)
  }

  /// Whether a scalar is null.
  func isNull(_ index: Int) -> Bool {
    tree.entries[index].isPlain && tree.entries[index].length <= 4
      && CoreSchema.isNull(tree.string(index))
  }

  private func shape(of index: Int) -> String {
    switch tree.entries[index].kind {
    case .mapping: return "a map"
    case .sequence: return "a list"
    case .alias, .invalid: return "this"
    case .scalar: break
    }
    switch scalar(index).resolved {
    case .null: return tree.entries[index].length == 0 ? "nothing" : "null"
    case .bool, .int, .double, .string: return "'\(Wording.printable(tree.string(index)))'"
    }
  }
}
