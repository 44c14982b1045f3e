internal import Support

/// Finds earlier names of nodes that don't say which node an instance belongs to.
enum FormerNameCheck {
  /// Checks `was` of all nodes of a draft.
  ///
  /// - Complexity: O(*n*), where *n* is the number of names.
  static func run(on draft: inout Draft) {
    var first: [String: (node: NodeID, range: SourceRange)] = [:]
    for node in draft.manifest.nodes {
      for name in node.formerNames {
        draft.counter.count()
        if let living = draft.manifest.nodeIDs[name.value] {
          let finding = Finding.livingFormerName(name.value, isOwn: living == node.id)
          draft.problems.append(
            Diagnostic(
              finding, at: name.range,
              related: living == node.id
                ? nil : .init(.nodeDefinition, at: draft.manifest[living].name.range)))
        } else if let other = first[name.value] {
          let finding =
            other.node == node.id
            ? Finding.duplicateEntry(name.value, in: "'was'")
            : .sharedFormerName(name.value, node: draft.manifest[other.node].name.value)
          draft.problems.append(
            Diagnostic(finding, at: name.range, related: .init(.firstDefinition, at: other.range)))
        } else {
          first[name.value] = (node.id, name.range)
        }
      }
    }
  }
}
