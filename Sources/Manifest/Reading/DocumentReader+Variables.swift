internal import Support

extension DocumentReader {
  /// Reads `vars`.
  mutating func readVariables(_ value: Int, key: Int) {
    draft.variablesKey = tree.range(key)
    guard expectMapping(value, "'vars'") else {
      draft.hasUnreadVariables = true
      return
    }
    if tree.hasRefusedKey(value) { draft.hasUnreadVariables = true }
    for (key, definition) in tree.pairs(of: value) {
      let name = Located(tree.string(key), at: tree.range(key))
      guard VariableName.isWellFormed(name.value) else {
        report(.badVariableName(name.value), at: key)
        draft.hasUnreadVariables = true
        continue
      }
      readVariable(definition, name: name)
    }
  }

  private static let variableKeys = Grammar.variable.keywords

  private mutating func readVariable(_ index: Int, name: Located<String>) {
    let place = "the variable '\(name.value)'"
    var environment: Located<String>?
    var value: Manifest.Expression?
    if tree.entries[index].kind == .mapping {
      for (key, entry) in tree.pairs(of: index) {
        switch keyword(of: key, in: index, place: place, Self.variableKeys) {
        case .default: value = readDefault(entry)
        case .env: environment = environmentName(entry)
        default: break
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
    let known = draft.manifest.folders
    defer { draft.manifest.folders = known }
    let before = draft.variableUses.count
    let problemCount = draft.problems.count
    let value = expression(index, ExpressionScope(hasPayload: true)).withFolders { text, range in
      if let path = folders.expanded(text) { return path }
      draft.problems.append(Diagnostic(.noFolder("~"), at: range))
      return text
    }
    draft.variableUses.removeSubrange(before...)
    guard draft.problems.count == problemCount else { return value }
    for reference in value.references {
      draft.problems.append(
        Diagnostic(.variableNotLiteral(reference.value.text), at: reference.range))
    }
    return value.references.isEmpty
      ? value : Manifest.Expression(.invalid, at: tree.range(index))
  }
}

extension Manifest.Expression {
  /// The expression with every `$dir` and `$data` replaced by the folder.
  ///
  /// - Parameter expand: replaces a `~` at the beginning of a text.
  /// - Returns: the expression.
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
      guard let texts = parts.texts else { return self }
      let text = expand(texts.joined(), range)
      return Manifest.Expression(.scalar(Scalar(text: text, isPlain: false)), at: range)
    }
  }
}

extension [Manifest.Expression.Part] {
  /// The texts of the parts; `nil` if one refers to anything but a folder.
  fileprivate var texts: [String]? {
    var texts: [String] = []
    for part in self {
      switch part {
      case .text(let text), .insertion(.directory(let text), _), .insertion(.data(let text), _):
        texts.append(text)
      case .insertion: return nil
      }
    }
    return texts
  }
}

/// Valid names of variables.
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
