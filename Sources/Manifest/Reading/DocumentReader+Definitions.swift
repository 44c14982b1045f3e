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

extension DocumentReader {
  mutating func readPlugins(_ value: Int) {
    let elements = list(value, "'plugins'", of: [.scalar, .mapping], keys: .plugin)
    for element in elements {
      if let plugin = readPlugin(element) { result.manifest.plugins.append(plugin) }
    }
  }

  private mutating func readPlugin(_ index: Int) -> Manifest.Plugin? {
    guard tree.entries[index].kind == .mapping else {
      return pluginName(index).map {
        Manifest.Plugin(reference: .name($0), range: tree.range(index))
      }
    }
    let fields = fields(of: index, .plugin)
    var reference: Manifest.Plugin.Reference?
    switch (fields[.name], fields[.path]) {
    case (let name?, let path?):
      report(
        .wrongShape, at: max(name.key, path.key),
        "a plugin must be given by one of 'name' and 'path', not by both",
        related: .init(.other, at: tree.range(min(name.key, path.key))))
    case (let name?, nil): reference = pluginName(name.value).map { .name($0) }
    case (nil, let path?):
      reference = self.path(path.value, "'path'").map {
        .path(resolved: FilePath.join(folder, $0.value), written: $0.value)
      }
    case (nil, nil): missing(.name, or: .path, in: "the plugin", at: index)
    }
    let version = fields[.version].flatMap { readVersionRequirement($0.value, "'version'") }
    let load = fields[.load].flatMap { choice($0, of: Manifest.Plugin.Loading.self) }
    let with = fields[.with].map { expression($0.value, hasPayload: false) }
    return reference.map {
      Manifest.Plugin(
        reference: $0, version: version, load: load, with: with, range: tree.range(index),
        pathEntry: fields[.path].map { (tree.range($0.key), tree.range($0.value)) })
    }
  }

  private mutating func pluginName(_ index: Int) -> String? {
    guard let name = word(index, "a plugin") else { return nil }
    if Grammar.isIdentifier(name.value[...]) { return name.value }
    report(
      .wrongShape, at: index,
      "a plugin must be a name such as Session, or { path: … }, not \(quote(name.value))")
    return nil
  }

  mutating func readVersionRequirement(
    _ value: Int, _ subject: String
  ) -> Located<VersionRequirement>? {
    guard let text = word(value, subject) else { return nil }
    guard let requirement = VersionRequirement(text.value) else {
      report(
        .badVersionRequirement, at: value,
        "\(quote(text.value)) is not a version requirement; write it like \">=1.0 <2\"")
      return nil
    }
    return Located(requirement, at: text.range)
  }

  mutating func readLinks(_ value: Int) {
    for element in list(value, "'links'", of: [.mapping], keys: .link) {
      guard expectMapping(element, "a link") else { continue }
      readLink(element)
    }
  }

  private mutating func readLink(_ index: Int) {
    let fields = fields(of: index, .link, owner: "the link")
    let steps = fields[.open].map { readOpen($0.value) } ?? []
    let needs = fields[.needs].flatMap { nodeName($0.value, after: "needs") }
    guard let path = fields[.path].flatMap({ readLinkPath($0.value) }) else { return }
    result.manifest.links.append(
      Manifest.Link(
        path: path, open: steps.compactMap { $0 },
        isWhole: !steps.isEmpty && !steps.contains { $0 == nil },
        needs: needs, range: tree.range(index)))
  }

  private mutating func readLinkPath(_ value: Int) -> LinkPath? {
    guard let text = word(value, "'path'") else { return nil }
    var parser = LinkPathParser(text: text.value) { [tree] in tree.range(value, bytes: $0) }
    do throws(LinkPathParser.Fault) {
      return try parser.parse()
    } catch {
      result.report(
        .badLinkPath, at: error.range, "\(quote(text.value)) is not a link path: \(error.reason)")
      return nil
    }
  }

  /// Reads the steps; `nil` for one that can't be read.
  private mutating func readOpen(_ value: Int) -> [Manifest.Step?] {
    let allowed = Grammar.linkVerbs
    return list(
      value, "'open'", of: [.scalar, .mapping], keys: .step, mayBeEmpty: false
    ).map { element in
      guard tree.entries[element].kind == .mapping else {
        // `push` for now: whether it follows its container is known only after name resolution.
        return nodeName(element, after: "open", subject: "a step of 'open'").map {
          Manifest.Step(
            verb: .push, verbRange: $0.range, target: $0, isBareNode: true, range: $0.range)
        }
      }
      guard let step = readStepMapping(element) else { return nil }
      guard allowed.contains(step.verb) else {
        result.report(
          .verbNotInLink, at: step.verbRange,
          "'\(step.verb.rawValue)' can't be a step of a link"
            + Wording.hint(nil, allowed.map(\.rawValue)))
        return nil
      }
      return step
    }
  }
}
