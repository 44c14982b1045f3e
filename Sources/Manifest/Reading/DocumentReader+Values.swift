internal import Diagnostics

extension DocumentReader {
  /// Reports a problem at a value or key.
  mutating func report(
    _ kind: Problem.Kind, at index: Int, related: Problem.Related? = nil
  ) {
    draft.problems.append(Problem(kind, at: tree.range(index), related: related))
  }

  /// Reports a key that has no meaning where it stands.
  mutating func unknownKey(_ key: Int, in place: String, _ allowed: [Keyword]) {
    let name = tree.string(key)
    let names = allowed.map(\.rawValue)
    // What GitHub's and other tools' manifests call it, and YAML 1.1 reads as a bool.
    let nearest =
      name == "on" && names.contains("action")
      ? "action" : draft.suggestions.nearest(to: name, among: names)
    if let nearest { misspelt.append((key, nearest)) }
    report(.unknownKey(name, in: place, nearest: nearest, allowed: names), at: key)
  }

  /// Reports a key that is not there, at the beginning of the mapping.
  ///
  /// Nothing is said when the key is there but misspelt, or is to come from a merge: that is
  /// reported already.
  mutating func missing(
    _ key: Keyword, or other: Keyword? = nil, in place: String, at index: Int
  ) {
    let inside = index..<Int(tree.entries[index].next)
    let names = [key.rawValue, other?.rawValue]
    // Those of this mapping were found last.
    let here = misspelt.reversed().prefix { $0.key >= index }
    if here.contains(where: { inside.contains($0.key) && names.contains($0.nearest) }) { return }
    if tree.hasRefusedKey(index) { return }
    let start = tree.entries[index].start
    draft.problems.append(
      Problem(
        .missingKey(key.rawValue, or: other?.rawValue, in: place),
        at: SourceRange(file: tree.file, start: start, end: start)))
  }

  /// Reports a value of the wrong shape, unless it is reported already.
  mutating func wrongShape(_ index: Int, _ subject: String, expected: String) {
    guard tree.entries[index].kind != .invalid else { return }
    report(.wrongShape(subject: subject, expected: expected, found: shape(of: index)), at: index)
  }

  /// Whether a value is a mapping; reported if not.
  mutating func expectMapping(_ index: Int, _ subject: @autoclosure () -> String) -> Bool {
    if tree.entries[index].kind == .mapping { return true }
    wrongShape(index, subject(), expected: "a map")
    return false
  }

  /// The elements of a list; reported if it is none.
  mutating func list(_ index: Int, _ subject: @autoclosure () -> String) -> [Int] {
    guard tree.entries[index].kind == .sequence else {
      wrongShape(index, subject(), expected: "a list")
      return []
    }
    return Array(tree.elements(of: index))
  }

  /// A name, path or other word; reported if the value is none.
  mutating func word(_ index: Int, _ subject: @autoclosure () -> String) -> Located<String>? {
    guard tree.entries[index].kind == .scalar, !isNull(index) else {
      wrongShape(index, subject(), expected: "text")
      return nil
    }
    return Located(tree.string(index), at: tree.range(index))
  }

  /// Text for people; reported if the value is none, or if a comment cuts it.
  mutating func text(_ index: Int, _ subject: @autoclosure () -> String) -> Located<String>? {
    checkComment(index)
    return word(index, subject())
  }

  /// Reports a plain text that a comment with a template cuts.
  mutating func checkComment(_ index: Int) {
    guard !tree.cuts.isEmpty, let comment = tree.cuts[index] else { return }
    draft.problems.append(Problem(.commentInText(comment.value), at: comment.range))
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

  /// A scalar as its text and style.
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
