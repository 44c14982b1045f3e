internal import AppCore
internal import Manifest
internal import Support

// Compares the arguments that a container is given with those that it uses: both sides are names
// chosen in the manifest.
extension GraphBuilder {
  /// The arguments that a container is given where it is entered.
  struct Given {
    var names: Set<String> = []
    /// Whether a value whose fields are unknown is passed on.
    var isOpen = false
  }

  /// The arguments that each container is given, wherever it is entered.
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

  /// Whether a container is given some arguments, but never this one.
  func isNeverGiven(_ name: String, to container: Int) -> Bool {
    guard knowsPlaces, let given = given[container], !given.isOpen, !given.names.isEmpty else {
      return false
    }
    return !given.names.contains(name)
  }

  /// Reports arguments that a container refers to but is never given; the routes that enter it are
  /// not reported as well.
  mutating func checkGiven(to container: Int) {
    guard let names = given[container]?.names.sorted() else { return }
    // One mistake, even if several tabs repeat it.
    let places = Dictionary(grouping: neverGiven(to: container), by: \.name.value)
    for uses in places.values.sorted(by: { $0[0].name.range < $1[0].name.range }) {
      let (name, meant) = uses[0]
      problems.append(
        Diagnostic(
          .neverGiven(
            name.value, node: manifest.nodes[container].name.value, nearest: meant, allowed: names),
          at: name.range, alsoAt: uses.dropFirst().map(\.name.range)))
    }
  }

  /// Arguments that a container refers to but is never given, with the given name that was probably
  /// meant.
  mutating func neverGiven(to container: Int) -> [NeverGiven] {
    if let known = neverGiven[container] { return known }
    guard let names = given[container]?.names.sorted() else { return [] }
    var found: [NeverGiven] = []
    let node = manifest.nodes[container]
    for use in node.tabs + node.background {
      for reference in use.with?.references ?? [] {
        counter.count()
        guard case .payload(let path) = reference.value, let first = path.first,
          isNeverGiven(first.value, to: container)
        else { continue }
        found.append((first, suggestions.nearest(to: first.value, among: names)))
      }
    }
    neverGiven[container] = found
    return found
  }

  /// A name that a container refers to, and what was probably meant.
  typealias NeverGiven = (name: Located<String>, meant: Suggestion?)

  /// A field that a container is given.
  struct ContainerField: Hashable {
    let container: Int
    let name: String
  }

  /// A text that a container passes on as an argument.
  struct HandedText {
    let text: String
    let range: SourceRange
  }

  /// The fields of `with` that a container does not take because it has a text in place of a
  /// reference, such as `.id` for `$.id`; the texts are reported.
  mutating func takenAsText(
    _ with: Manifest.Expression?, by container: Int, _ fields: FieldTable?
  ) -> [Schema.Field] {
    let node = manifest.nodes[container]
    guard case .container = node.content, case .object(let given)? = with?.kind else { return [] }
    var found: [Schema.Field] = []
    // An argument that is referred to by a wrong name is reported at that reference.
    let meant = Set(neverGiven(to: container).compactMap(\.meant?.name))
    for field in given where fields?[field.name.value] == nil {
      counter.count()
      let name = field.name.value
      if meant.contains(name) {
        found.append(Schema.Field(name: name, schema: .any))
        continue
      }
      guard let texts = texts(in: container)[name] else { continue }
      found.append(Schema.Field(name: name, schema: .any))
      guard reportedTexts.insert(ContainerField(container: container, name: name)).inserted else {
        continue
      }
      for text in texts {
        report(.textForReference(text.text, field: name, node: node.name.value), text.range)
      }
    }
    return found
  }

  /// The texts that a container passes on, by field.
  private mutating func texts(in container: Int) -> [String: [HandedText]] {
    if let known = texts[container] { return known }
    var found: [String: [HandedText]] = [:]
    let node = manifest.nodes[container]
    for use in node.tabs + node.background {
      guard case .object(let fields)? = use.with?.kind else { continue }
      for field in fields {
        counter.count()
        guard case .scalar(let scalar) = field.value.kind else { continue }
        found[field.name.value, default: []].append(
          HandedText(text: scalar.text, range: field.value.range))
      }
    }
    texts[container] = found
    return found
  }
}
