internal import Support

extension DocumentReader {
  /// Reads a value under `with`.
  mutating func expression(_ index: Int, _ scope: ExpressionScope) -> Manifest.Expression {
    let range = tree.range(index)
    switch tree.entries[index].kind {
    case .invalid, .alias: return Manifest.Expression(.invalid, at: range)
    case .sequence:
      return Manifest.Expression(
        .array(tree.elements(of: index).map { expression($0, scope) }), at: range)
    case .mapping:
      var fields: [Manifest.Expression.Field] = []
      fields.reserveCapacity(tree.entries[index].length)
      for (key, value) in tree.pairs(of: index) {
        fields.append(
          Manifest.Expression.Field(
            name: Located(tree.string(key), at: tree.range(key)),
            value: expression(value, scope)))
      }
      return Manifest.Expression(.object(fields), at: range)
    case .scalar:
      checkComment(index)
      return Manifest.Expression(scalarExpression(index, scope), at: range)
    }
  }

  private mutating func scalarExpression(
    _ index: Int, _ scope: ExpressionScope
  ) -> Manifest.Expression.Kind {
    if skipped.contains(index) { return .invalid }
    let bytes = tree.bytes(index)
    guard bytes.contains(UInt8(ascii: "$")) else {
      // It may have been meant as a reference to a parameter.
      if bytes.first == UInt8(ascii: "."), bytes.count > 1 {
        draft.badReferences.append(Located(tree.string(index), at: tree.range(index)))
      }
      return .scalar(scalar(index))
    }
    var parser = TemplateParser(bytes)
    let template = parser.parse()
    switch template {
    case .literal(let text):
      return .scalar(Scalar(text: text, isPlain: tree.entries[index].isPlain))
    case .reference(let raw):
      return reference(raw, index, scope).map { .reference($0) } ?? .invalid
    case .bad(let text, let nearest, let part):
      reportBad(text, nearest, index, part)
      return .invalid
    case .pieces(let pieces):
      var parts: [Manifest.Expression.Part] = []
      var isValid = true
      for piece in pieces {
        switch piece {
        case .text(let text): parts.append(.text(text))
        case .insertion(let raw, let part):
          if let reference = reference(raw, index, scope) {
            parts.append(.insertion(reference, tree.range(index, bytes: part, &cursor)))
          } else {
            isValid = false
          }
        case .bad(let text, let nearest, let part):
          reportBad(text, nearest, index, part)
          isValid = false
        case .unclosed(let text, let part):
          reportPart(.unclosedInsertion(text), index, part)
          draft.badReferences.append(Located(text, at: tree.range(index)))
          isValid = false
        }
      }
      return isValid ? .interpolation(parts) : .invalid
    }
  }

  /// Reports text that is no reference, and notes it as one that may use any name in it.
  private mutating func reportBad(
    _ text: String, _ nearest: Suggestion?, _ index: Int, _ part: Range<Int>
  ) {
    reportPart(.badReference(text, nearest: nearest), index, part)
    draft.badReferences.append(Located(text, at: tree.range(index)))
  }

  mutating func reportPart(_ finding: Finding, _ index: Int, _ part: Range<Int>) {
    draft.problems.append(Diagnostic(finding, at: tree.range(index, bytes: part, &cursor)))
  }

  private mutating func reference(
    _ raw: TemplateParser.RawReference, _ index: Int, _ scope: ExpressionScope
  ) -> Manifest.Expression.Reference? {
    switch raw.kind {
    case .directory:
      let path = FilePath.absolute(folder)
      draft.manifest.folders[isFirst ? "$dir" : "$dir in \(folder)"] = path
      return .directory(path)
    case .data:
      if let path = folders.data(of: draft.manifest.name?.value) {
        draft.manifest.folders[raw.text] = path
        return .data(path)
      }
      reportPart(.noFolder(raw.text), index, raw.part)
      return nil
    case .variable(let name):
      draft.variableUses.append(Located(name, at: tree.range(index, bytes: raw.part, &cursor)))
      return .variable(name)
    case .payload(let fields):
      guard scope.hasPayload else {
        reportPart(.noPayload(raw.text), index, raw.part)
        return nil
      }
      return .payload(
        fields.map { Located($0.name, at: tree.range(index, bytes: $0.part, &cursor)) })
    }
  }
}

/// The references that an expression may contain.
struct ExpressionScope {
  /// Whether there is a payload, so that `$` and `$.a` are allowed.
  let hasPayload: Bool
}
