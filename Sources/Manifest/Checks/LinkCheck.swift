internal import Support

/// Finds links that can't be distinguished, and parameters that are unknown or unused.
enum LinkCheck {
  /// Checks all links of a draft.
  static func run(on draft: inout Draft) {
    var shapes = LinkShapes(counter: draft.counter)
    for link in draft.manifest.links {
      switch shapes.add(link.path) {
      case nil: break
      case .equal(let other)?:
        let isSame = other.text == link.path.text
        draft.problems.append(
          Diagnostic(
            isSame ? .duplicateLink(other.text) : .equalLinks(link.path.text, other.text),
            at: link.path.range, related: .init(.firstDefinition, at: other.range)))
      case .crossing(let other)?:
        draft.problems.append(
          Diagnostic(
            .shadowedLink(link.path.text, other.text), at: link.path.range,
            related: .init(.other, at: other.range)))
      }
      checkParameters(of: link, &draft)
    }
  }

  private static func checkParameters(of link: Manifest.Link, _ draft: inout Draft) {
    let names = link.path.parameters.map(\.value)
    let known = Set(names)
    var used: Set<String> = []
    var usesAll = false
    for step in link.open {
      for reference in step.with?.references ?? [] {
        draft.counter.count()
        guard case .payload(let fields) = reference.value else { continue }
        guard let first = fields.first else {
          usesAll = true
          continue
        }
        used.insert(first.value)
        guard !known.contains(first.value) else { continue }
        let nearest = draft.suggestions.nearest(to: first.value, among: names)
        draft.problems.append(
          Diagnostic(
            .unknownParameter(first.value, nearest: nearest, allowed: names), at: first.range))
        // The parameter that was probably meant is used.
        if let nearest { used.insert(nearest.name) }
      }
    }
    guard !usesAll, link.isWhole else { return }
    for parameter in link.path.parameters
    where !used.contains(parameter.value)
      && !draft.mayRefer(to: parameter.value, within: link.range)
    {
      draft.problems.append(Diagnostic(.unusedParameter(parameter.value), at: parameter.range))
    }
  }
}
