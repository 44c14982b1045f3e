internal import AppCore
internal import Diagnostics
internal import Manifest
internal import Support

// What is handed to a container and what is taken there: both sides are names of the manifest's own.
extension GraphBuilder {
  /// What those who enter a container give it.
  struct Given {
    var names: Set<String> = []
    /// Whether somebody hands on something whose fields are not known here.
    var isOpen = false
  }

  /// What each container is given, by all who enter it.
  static func given(in manifest: Manifest) -> [Int: Given] {
    var result: [Int: Given] = [:]
    func add(_ reference: NodeReference?, _ with: Manifest.Expression?) {
      guard let node = reference?.id?.index, case .container = manifest.nodes[node].content else {
        return
      }
      switch with?.kind {
      case nil: result[node, default: Given()].names.formUnion([])
      case .object(let fields):
        result[node, default: Given()].names.formUnion(fields.map(\.name.value))
      case .some: result[node, default: Given()].isOpen = true
      }
    }
    add(manifest.start, nil)
    for use in manifest.background { add(use.node, use.with) }
    for node in manifest.nodes {
      for use in node.tabs + node.background { add(use.node, use.with) }
      if case .container = node.content, case .object(let fields)? = node.with?.kind {
        result[node.id.index, default: Given()].names.formUnion(fields.map(\.name.value))
      }
    }
    for step in manifest.routes.flatMap(\.steps) + manifest.links.flatMap(\.open)
    where step.verb != .notify { add(step.target, step.with) }
    return result
  }

  /// Whether something is given to a container, and this is not.
  func isNeverGiven(_ name: String, to container: Int) -> Bool {
    guard !hasGaps, let given = given[container], !given.isOpen, !given.names.isEmpty else {
      return false
    }
    return !given.names.contains(name)
  }

  /// Reports what a container refers to and nobody gives; those who enter it are not told as well.
  mutating func checkGiven(to container: Int) {
    guard let given = given[container] else { return }
    let node = manifest.nodes[container]
    for use in node.tabs + node.background {
      for reference in use.with?.references ?? [] {
        guard case .payload(let path) = reference.value, let first = path.first,
          isNeverGiven(first.value, to: container)
        else { continue }
        let names = given.names.sorted()
        report(
          .neverGiven(
            first.value, node: node.name.value,
            nearest: NearestName.of(first.value, among: names), allowed: names), first.range)
      }
    }
  }

  /// The fields of `with` that a container does not take because text stands where a reference was
  /// meant, as `.id` for `$.id`; reported where they stand.
  mutating func takenAsText(
    _ with: Manifest.Expression?, by container: Int, _ fields: [Schema.Field]
  ) -> [Schema.Field] {
    let node = manifest.nodes[container]
    guard case .container = node.content, case .object(let given)? = with?.kind else { return [] }
    var found: [Schema.Field] = []
    for field in given where !fields.contains(where: { $0.name == field.name.value }) {
      let name = field.name.value
      for use in node.tabs + node.background {
        guard let value = use.with?[name], case .scalar(let scalar) = value.kind else { continue }
        report(.textForReference(scalar.text, field: name, node: node.name.value), value.range)
        if found.last?.name != name { found.append(Schema.Field(name: name, schema: .any)) }
      }
    }
    return found
  }
}
