internal import Support

extension DocumentReader {
  mutating func readVariables(_ value: Int, key: Int) {
    result.variablesKey = tree.range(key)
    guard expectMapping(value, "'vars'") else {
      result.hasUnreadVariables = true
      return
    }
    if tree.hasRefusedKey(value) { result.hasUnreadVariables = true }
    for (key, definition) in tree.pairs(of: value) {
      let name = Located(tree.string(key), at: tree.range(key))
      guard Grammar.isVariableName(name.value.utf8) else {
        report(
          .badName, at: key,
          "\(quote(name.value)) is not a valid name for a variable; "
            + "a name is a letter, then letters, digits, '_' and '-'")
        result.hasUnreadVariables = true
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
      let fields = fields(of: index, .variable, place: place)
      value = fields[.default].map { readDefault($0.value) }
      environment = fields[.env].flatMap { environmentName($0.value) }
    } else {
      wrongShape(index, place, expected: "a map such as { default: value, env: NAME }")
      value = Manifest.Expression(.invalid, at: tree.range(index))
    }
    result.manifest.variables.append(
      Manifest.Variable(
        name: name, environment: environment, value: value,
        origin: value == nil ? nil : .default))
  }

  private mutating func environmentName(_ index: Int) -> Located<String>? {
    guard let name = word(index, "'env'") else { return nil }
    let isName =
      !name.value.isEmpty && !name.value.utf8.contains { $0 == UInt8(ascii: "=") || $0 == 0 }
    if !isName { wrongShape(index, "'env'", expected: "the name of an environment variable") }
    return isName ? name : nil
  }

  /// Reads a default: a literal, in which `$$` at the start or after `{` is a literal `$`, and
  /// `$dir`, `$data` and a `~` at the beginning are replaced by the folders.
  private mutating func readDefault(_ index: Int) -> Manifest.Expression {
    // The variable's value says what the folder is, if that counts at all.
    let known = result.manifest.folders
    defer { result.manifest.folders = known }
    let before = result.variableUses.count
    let problemCount = result.problems.count
    let value = expression(index, hasPayload: true).withFolders { text, range in
      if let path = folders.expanded(text) { return path }
      result.reportUnknownFolder("~", at: range)
      return text
    }
    result.variableUses.removeSubrange(before...)
    guard result.problems.count == problemCount else { return value }
    for reference in value.references {
      result.report(
        .variableNotLiteral, at: reference.range,
        "a default is a literal, so \(quote(reference.value.text)) can't refer to anything; "
          + "a literal '$' is written '$$'")
    }
    return value.references.isEmpty
      ? value : Manifest.Expression(.invalid, at: tree.range(index))
  }
}

extension Manifest.Expression {
  /// The expression with every `$dir` and `$data` replaced by the folder, and every `~` at the
  /// beginning of a text by what `expand` makes of it.
  fileprivate func withFolders(
    _ expand: (String, SourceRange) -> String
  ) -> Manifest.Expression {
    switch kind {
    case .invalid, .reference(.payload), .reference(.variable): return self
    case .scalar(let scalar):
      let text = scalar.isNull ? scalar.text : expand(scalar.text, range)
      return Manifest.Expression(.scalar(Scalar(text: text, style: scalar.style)), at: range)
    case .reference(.directory(let folder)), .reference(.data(let folder)):
      return Manifest.Expression(.scalar(Scalar(text: folder, isPlain: false)), at: range)
    case .array(let elements):
      return Manifest.Expression(.array(elements.map { $0.withFolders(expand) }), at: range)
    case .object(let fields):
      return Manifest.Expression(
        .object(fields.map { Field(name: $0.name, value: $0.value.withFolders(expand)) }),
        at: range)
    case .interpolation(let parts):
      var text = ""
      for part in parts {
        switch part {
        case .text(let part), .insertion(.directory(let part), _), .insertion(.data(let part), _):
          text += part
        case .insertion: return self
        }
      }
      return Manifest.Expression(
        .scalar(Scalar(text: expand(text, range), isPlain: false)), at: range)
    }
  }
}
