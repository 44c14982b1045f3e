internal import Support

extension DocumentReader {
  /// Reads a value under `with`; without a payload, `$` and `$.a` are problems.
  mutating func expression(_ index: Int, hasPayload: Bool) -> Manifest.Expression {
    let range = tree.range(index)
    switch tree.entries[index].kind {
    case .invalid, .alias: return Manifest.Expression(.invalid, at: range)
    case .sequence:
      return Manifest.Expression(
        .array(tree.elements(of: index).map { expression($0, hasPayload: hasPayload) }), at: range)
    case .mapping:
      return Manifest.Expression(
        .object(
          tree.pairs(of: index).map { key, value in
            Manifest.Expression.Field(
              name: Located(tree.string(key), at: tree.range(key)),
              value: expression(value, hasPayload: hasPayload))
          }), at: range)
    case .scalar:
      checkComment(index)
      return Manifest.Expression(scalarExpression(index, hasPayload: hasPayload), at: range)
    }
  }

  private mutating func scalarExpression(
    _ index: Int, hasPayload: Bool
  ) -> Manifest.Expression.Kind {
    if skipped.contains(index) { return .invalid }
    let bytes = tree.bytes(index)
    guard bytes.contains(UInt8(ascii: "$")) else {
      // It may have been meant as a reference to a parameter.
      if bytes.first == UInt8(ascii: "."), bytes.count > 1 {
        result.badReferences.append(Located(tree.string(index), at: tree.range(index)))
      }
      return .scalar(scalar(index))
    }
    let pieces = TemplateParser(Array(bytes)).parse()
    var parts: [Manifest.Expression.Part] = []
    var isValid = true
    for piece in pieces {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .reference(let written, let part):
        guard let reference = reference(written, index, hasPayload: hasPayload) else {
          isValid = false
          continue
        }
        guard let part else { return .reference(reference) }
        parts.append(.insertion(reference, tree.range(index, bytes: part)))
      case .bad(let text, let nearest, let part):
        let hint =
          nearest.map { "did you mean \(quote($0.name))?" }
          ?? "allowed: '$', '$.field', '$vars.name', '$dir', '$data', and '$$' for a literal '$'"
        reportPart(
          .badReference, "\(quote(text)) is not a reference; \(hint)", index, part,
          correction: .init(text, nearest))
        result.badReferences.append(Located(text, at: tree.range(index)))
        isValid = false
      case .unclosed(let text, let part):
        reportPart(
          .unclosedInsertion, "\(quote(text)) has no '}'; a literal '{$' is written '{$$'", index,
          part)
        result.badReferences.append(Located(text, at: tree.range(index)))
        isValid = false
      }
    }
    guard isValid else { return .invalid }
    switch parts.first {
    case nil: return .scalar(Scalar(text: "", isPlain: tree.entries[index].isPlain))
    case .text(let text)? where parts.count == 1:
      return .scalar(Scalar(text: text, isPlain: tree.entries[index].isPlain))
    case .some: return .interpolation(parts)
    }
  }

  /// Reports a problem at a part of a scalar, given as a range of bytes of its text.
  mutating func reportPart(
    _ rule: Rule, _ message: String, _ index: Int, _ part: Range<Int>,
    correction: Correction? = nil
  ) {
    result.report(rule, at: tree.range(index, bytes: part), message, correction: correction)
  }

  private mutating func reference(
    _ written: TemplateParser.WrittenReference, _ index: Int, hasPayload: Bool
  ) -> Manifest.Expression.Reference? {
    if written.isPayload {
      guard hasPayload else {
        reportPart(
          .noPayload, "\(quote(written.text)) refers to a payload, and there is none here", index,
          written.part)
        return nil
      }
      return .payload(
        written.names.map { Located($0.name, at: tree.range(index, bytes: $0.part)) })
    }
    switch written.names[0].name {
    case "dir":
      let path = FilePath.absolute(folder)
      result.manifest.folders[isFirst ? "$dir" : "$dir in \(folder)"] = path
      return .directory(path)
    case "data":
      guard let path = folders.data(of: result.manifest.name?.value) else {
        result.reportUnknownFolder(written.text, at: tree.range(index, bytes: written.part))
        return nil
      }
      result.manifest.folders[written.text] = path
      return .data(path)
    default:
      let name = written.names[1].name
      result.variableUses.append(Located(name, at: tree.range(index, bytes: written.part)))
      return .variable(name)
    }
  }
}
