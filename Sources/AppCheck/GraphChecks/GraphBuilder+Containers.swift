@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

// The arguments that a container needs, derived from their uses in its tabs and its background
// instances.
extension GraphBuilder {
  /// The arguments for entering a node, ready for lookup.
  struct AcceptedFields {
    let shape: Schema
    /// The fields of the shape; `nil` if it is not an object.
    let fields: FieldTable?
    /// The other shapes that the arguments must fit: a container may pass one on to several tabs.
    let others: [Schema]
  }

  /// The arguments for entering a node: those of its feature, or those that a container passes on.
  ///
  /// A field that the node itself gives can be omitted, or be given an optional value.
  mutating func acceptedFields(of node: Int) -> AcceptedFields {
    if let known = accepted[node] { return known }
    let shapes = arguments(of: node)
    var fields: FieldTable?
    if case .object(let all) = shapes[0] { fields = FieldTable(all) }
    let made = AcceptedFields(
      shape: shapes[0], fields: fields, others: Array(shapes.dropFirst()))
    accepted[node] = made
    return made
  }

  /// The shapes that the arguments for entering a node must fit; the first determines the fields.
  private func arguments(of node: Int) -> [Schema] {
    if let info = features[node] { return [supplied(info.arguments, by: node)] }
    guard manifest.nodes[node].isContainer else { return [.any] }
    return (containers[node] ?? [.any]).map { supplied($0, by: node) }
  }

  /// The shape in which fields that the node itself gives are not required.
  private func supplied(_ shape: Schema, by node: Int) -> Schema {
    guard case .object(let fields) = shape,
      case .object(let given)? = manifest.nodes[node].with?.kind
    else { return shape }
    let names = Set(given.map(\.name.value))
    return .object(fields.map { names.contains($0.name) ? $0.withDefault : $0 })
  }

  /// Determines the arguments of each container, inner ones first.
  ///
  /// The use of a container inside itself requires nothing, and neither does a container that is
  /// nested too deeply.
  mutating func findContainerArguments() {
    let uses = manifest.nodes.map { $0.parts.compactMap { $0.node.id?.index } }
    let components = StronglyConnectedComponents(uses.count) { uses[$0] }
    var heights = Array(repeating: 0, count: uses.count)
    for node in components.members.joined() where manifest.nodes[node].isContainer {
      heights[node] = 1 + (uses[node].map { heights[$0] }.max() ?? 0)
      containers[node] =
        heights[node] > InstanceFactory.containerLimit ? [.any] : containerArguments(of: node)
    }
  }

  private func containerArguments(of node: Int) -> [Schema] {
    var fields = FieldList()
    var isKnown = true
    for use in manifest.nodes[node].parts {
      guard let inner = use.node.id?.index else {
        isKnown = false
        continue
      }
      for shape in arguments(of: inner) {
        isKnown = collect(use.with, for: shape, into: &fields) && isKnown
      }
    }
    guard isKnown else { return [.any] }
    // A field that is never given is reported once, where it is used.
    let first = Schema.object(
      fields.all.map { field in
        isNeverGiven(field.name, to: node)
          ? Schema.Field(name: field.name, schema: field.schema, defaultValue: .null) : field
      })
    return [first] + fields.others
  }

  /// Adds the fields of `$` that `expression` uses.
  ///
  /// - Returns: whether that could be determined.
  private func collect(
    _ expression: Manifest.Expression?, for expected: Schema, into fields: inout FieldList
  ) -> Bool {
    guard let expression else { return true }
    switch expression.kind {
    case .scalar: return true
    case .invalid: return false
    case .reference(.payload(let path)) where path.isEmpty:
      guard case .object(let all) = expected else { return false }
      for field in all { fields.add(field) }
      return true
    case .object(let given):
      guard case .object(let due) = expected else { return false }
      for field in given {
        guard case .reference(.payload(let path)) = field.value.kind, let name = path.first?.value,
          let schema = due.first(where: { $0.name == field.name.value })
        else {
          addMentioned(in: field.value, to: &fields)
          continue
        }
        // Where a part of the argument is due, only whether the argument is due is known.
        fields.add(
          path.count == 1
            ? Schema.Field(name: name, schema: schema.schema, defaultValue: schema.defaultValue)
            : Schema.Field(name: name, schema: schema.isRequired ? .any : .optional(.any)))
      }
      return !given.contains { if case .invalid = $0.value.kind { true } else { false } }
    case .array, .reference, .interpolation:
      addMentioned(in: expression, to: &fields)
      return true
    }
  }

  /// Adds a use that does not determine a shape.
  private func addMentioned(
    in expression: Manifest.Expression, to fields: inout FieldList
  ) {
    for name in expression.payloadFields {
      fields.add(Schema.Field(name: name.value, schema: .optional(.any)))
    }
  }
}

extension Schema.Field {
  /// The field as it is where something else gives it if it is left out.
  fileprivate var withDefault: Schema.Field {
    Schema.Field(name: name, schema: schema, defaultValue: defaultValue ?? .null)
  }
}

/// Fields in the order in which they were added, each once.
private struct FieldList {
  private(set) var all: [Schema.Field] = []
  private var positions: [String: Int] = [:]
  /// The uses of each field that determine its type, one for each shape.
  private var uses: [[Schema.Field]] = []

  /// Adds a use of a field; the stricter of two uses counts.
  mutating func add(_ field: Schema.Field) {
    let position = positions[field.name] ?? all.count
    if position == all.count {
      positions[field.name] = position
      all.append(field)
      uses.append([])
    } else if all[position].schema == .optional(.any)
      || !all[position].isRequired && field.isRequired
    {
      all[position] = field
    }
    if !field.schema.isUnknownOrNothing,
      !uses[position].contains(where: { $0.schema == field.schema })
    {
      uses[position].append(field)
    }
  }

  /// Objects with the further shapes of the fields that are used with several.
  var others: [Schema] {
    let others = zip(all, uses).map { field, uses in uses.filter { $0.schema != field.schema } }
    let count = others.map(\.count).max() ?? 0
    return (0..<count).map { number in
      .object(
        zip(all, others).map { field, others in
          number < others.count
            ? others[number] : Schema.Field(name: field.name, schema: .any, defaultValue: .null)
        })
    }
  }
}

// Compares the arguments that a container is given with those that it uses: both sides are names
// chosen in the manifest.
extension GraphBuilder {
  /// The arguments that each container is given, wherever it is entered.
  static func given(in manifest: Manifest) -> [Int: Set<String>] {
    var result: [Int: Set<String>] = [:]
    var open: Set<Int> = []
    func add(_ reference: NodeReference?, _ with: Manifest.Expression?) {
      guard let node = reference?.id?.index, manifest.nodes[node].isContainer else { return }
      // In place: a copy of a container's names for each route that enters it would take the square.
      switch with?.kind {
      case nil: break
      case .object(let fields): result[node, default: []].formUnion(fields.map(\.name.value))
      case .some: open.insert(node)
      }
    }
    add(manifest.start, nil)
    for use in manifest.background + manifest.nodes.flatMap(\.parts) { add(use.node, use.with) }
    for node in manifest.nodes where node.isContainer {
      guard case .object(let fields)? = node.with?.kind else { continue }
      result[node.id.index, default: []].formUnion(fields.map(\.name.value))
    }
    for step in manifest.routes.flatMap(\.steps) + manifest.links.flatMap(\.open)
    where step.verb != .notify { add(step.target, step.with) }
    for node in open { result[node] = nil }
    return result
  }

  /// Whether a container is given some arguments, but never this one.
  private func isNeverGiven(_ name: String, to container: Int) -> Bool {
    guard knowsPlaces, let names = given[container], !names.isEmpty else { return false }
    return !names.contains(name)
  }

  /// Reports arguments that a container refers to but is never given; the routes that enter it are
  /// not reported as well.
  mutating func checkGiven(to container: Int) {
    guard let names = given[container]?.sorted() else { return }
    // One mistake, even if several tabs repeat it.
    let places = Dictionary(grouping: neverGiven(to: container), by: \.name.value)
    for uses in places.values.sorted(by: { $0[0].name.range < $1[0].name.range }) {
      let (name, meant) = uses[0]
      report(
        .neverGiven, at: name.range,
        "nobody who enters \(quote(manifest.nodes[container].name.value)) gives \(quote(name.value))"
          + Wording.hint(meant, names, what: "given are"),
        // Not certain: the given name may be the one that is misspelt.
        correction: meant.map { .init(name.value, $0.name, isCertain: false) },
        alsoAt: uses.dropFirst().map(\.name.range))
    }
  }

  /// A name that a container refers to, and what was probably meant.
  typealias NeverGiven = (name: Located<String>, meant: Suggestion?)

  /// Arguments that a container refers to but is never given, with the given name that was probably
  /// meant.
  private mutating func neverGiven(to container: Int) -> [NeverGiven] {
    if let known = neverGiven[container] { return known }
    guard let names = given[container]?.sorted() else { return [] }
    var found: [NeverGiven] = []
    for name in manifest.nodes[container].parts.flatMap({ $0.with?.payloadFields ?? [] })
    where isNeverGiven(name.value, to: container) {
      found.append((name, suggestions.nearest(to: name.value, among: names)))
    }
    neverGiven[container] = found
    return found
  }

  /// The fields of `with` that a container does not take because it has a text in place of a
  /// reference, such as `.id` for `$.id`; the texts are reported.
  mutating func takenAsText(
    _ with: Manifest.Expression?, by container: Int, _ fields: FieldTable?
  ) -> [Schema.Field] {
    let node = manifest.nodes[container]
    guard node.isContainer, case .object(let given)? = with?.kind else { return [] }
    var found: [Schema.Field] = []
    // An argument that is referred to by a wrong name is reported at that reference.
    let meant = Set(neverGiven(to: container).compactMap(\.meant?.name))
    for field in given where fields?[field.name.value] == nil {
      let name = field.name.value
      let texts = meant.contains(name) ? [] : self.texts(in: container)[name]
      guard let texts else { continue }
      found.append(Schema.Field(name: name, schema: .any))
      guard !texts.isEmpty, reportedTexts[container, default: []].insert(name).inserted else {
        continue
      }
      for text in texts {
        report(
          .textForReference, at: text.range,
          "\(quote(text.value)) is text, and \(quote(node.name.value)) is given \(quote(name)); "
            + "did you mean '$.\(Wording.printable(name))'?",
          correction: .init(text.value, "$.\(name)", isCertain: text.value == ".\(name)"))
      }
    }
    return found
  }

  /// The texts that a container passes on, by field.
  private mutating func texts(in container: Int) -> [String: [Located<String>]] {
    if let known = texts[container] { return known }
    var found: [String: [Located<String>]] = [:]
    for use in manifest.nodes[container].parts {
      guard case .object(let fields)? = use.with?.kind else { continue }
      for field in fields {
        guard case .scalar(let scalar) = field.value.kind else { continue }
        found[field.name.value, default: []].append(Located(scalar.text, at: field.value.range))
      }
    }
    texts[container] = found
    return found
  }
}
