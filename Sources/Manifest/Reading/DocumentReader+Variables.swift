internal import Diagnostics

extension DocumentReader {
  /// Reads `vars`.
  mutating func readVariables(_ value: Int, key: Int) {
    draft.variablesKey = tree.range(key)
    guard expectMapping(value, "'vars'") else { return }
    for (key, definition) in tree.pairs(of: value) {
      let name = Located(tree.string(key), at: tree.range(key))
      guard VariableName.isWellFormed(name.value) else {
        report(.badVariableName(name.value), at: key)
        continue
      }
      readVariable(definition, name: name)
    }
  }

  private mutating func readVariable(_ index: Int, name: Located<String>) {
    let place = "the variable '\(name.value)'"
    var environment: Located<String>?
    var value: Manifest.Expression?
    if tree.entries[index].kind == .mapping {
      for (key, entry) in tree.pairs(of: index) {
        switch Keyword(tree.bytes(key)) {
        case .default: value = readDefault(entry)
        case .env: environment = word(entry, "'env'")
        default: unknownKey(key, in: place, Grammar.variable.keywords)
        }
      }
    } else {
      wrongShape(index, place, expected: "a map such as { default: value, env: NAME }")
      value = Manifest.Expression(.invalid, at: tree.range(index))
    }
    draft.manifest.variables.append(
      Manifest.Variable(
        name: name, environment: environment, value: value,
        origin: value == nil ? nil : .default))
  }

  /// Reads a default: a literal, where `$$` at the start or after `{` is a literal `$`.
  private mutating func readDefault(_ index: Int) -> Manifest.Expression {
    let before = draft.variableUses.count
    let known = draft.problems.count
    let value = expression(index, ExpressionScope(hasPayload: true))
    draft.variableUses.removeSubrange(before...)
    guard draft.problems.count == known else { return value }
    for reference in value.references {
      draft.problems.append(
        Problem(.variableNotLiteral(reference.value.text), at: reference.range))
    }
    return value.references.isEmpty
      ? value : Manifest.Expression(.invalid, at: tree.range(index))
  }
}

/// What may be the name of a variable.
enum VariableName {
  /// Whether a reference can spell the name: a letter or `_`, then letters, digits, `_` and `-`.
  static func isWellFormed(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first), first != 0x2D else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || byte == UInt8(ascii: "_") || byte == 0x2D
    }
  }
}
