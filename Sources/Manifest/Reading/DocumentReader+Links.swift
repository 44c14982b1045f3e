internal import Support

extension DocumentReader {
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
    var parser = LinkPathParser(text: text.value) { [tree] part in
      var cursor = ScalarCursor()
      return tree.range(value, bytes: part, &cursor)
    }
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
