internal import Support

extension DocumentReader {
  /// Reads `links`.
  mutating func readLinks(_ value: Int) {
    for element in list(value, "'links'", of: [.mapping], keys: Self.linkKeys) {
      guard expectMapping(element, "a link") else { continue }
      readLink(element)
    }
  }

  private static let linkKeys = Grammar.link.keywords

  private mutating func readLink(_ index: Int) {
    var path: LinkPath?
    var hasPath = false
    var hasOpen = false
    var steps: [Manifest.Step?] = []
    var needs: NodeReference?
    for (key, value) in tree.pairs(of: index) {
      switch keyword(of: key, in: index, place: "a link", Self.linkKeys) {
      case .path:
        hasPath = true
        path = readLinkPath(value)
      case .open:
        hasOpen = true
        steps = readOpen(value)
      case .needs: needs = nodeName(value, behind: "needs")
      default: break
      }
    }
    if !hasPath { missing(.path, in: "the link", at: index) }
    if !hasOpen { missing(.open, in: "the link", at: index) }
    guard let path else { return }
    draft.manifest.links.append(
      Manifest.Link(
        path: path, open: steps.compactMap { $0 },
        isWhole: !steps.isEmpty && !steps.contains { $0 == nil },
        needs: needs, range: tree.range(index)))
  }

  private mutating func readLinkPath(_ value: Int) -> LinkPath? {
    guard let text = word(value, "'path'") else { return nil }
    let parser = LinkPathParser(text: text.value) { [tree] part in
      var cursor = ScalarCursor()
      return tree.range(value, bytes: part, &cursor)
    }
    switch parser.parse() {
    case .success(let path): return path
    case .failure(let problem):
      draft.problems.append(problem)
      return nil
    }
  }

  /// Reads the steps; `nil` for one that can't be read.
  private mutating func readOpen(_ value: Int) -> [Manifest.Step?] {
    let elements = list(value, "'open'", of: [.scalar, .mapping], keys: Self.stepKeys)
    if elements.isEmpty, tree.entries[value].kind == .sequence {
      report(.emptyList("'open'"), at: value)
    }
    let allowed = Grammar.linkVerbs
    return elements.map { element in
      guard tree.entries[element].kind == .mapping else {
        // `push` for now: whether it follows its container is known only after name resolution.
        return nodeName(element, behind: "open", subject: "a step of 'open'").map {
          Manifest.Step(.push($0), verb: $0.range, range: $0.range, isBareNode: true)
        }
      }
      guard let step = readStepMapping(element, ExpressionScope(hasPayload: true)) else {
        return nil
      }
      guard allowed.contains(step.verb) else {
        draft.problems.append(
          Diagnostic(
            .verbNotInLink(step.verb.rawValue, allowed: allowed.map(\.rawValue)),
            at: step.verbRange))
        return nil
      }
      return step
    }
  }
}
