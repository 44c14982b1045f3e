@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

// The arguments that a container needs, derived from their uses in its tabs and its background
// instances.
extension GraphBuilder {
  /// The arguments for entering a node, ready for lookup.
  struct Intake {
    let shape: Schema
    /// The fields of the shape; `nil` if it is not an object.
    let fields: FieldTable?
    /// The other shapes that the arguments must fit: a container may pass one on to several tabs.
    let others: [Schema]

    init(_ shape: Schema, others: [Schema] = []) {
      self.shape = shape
      self.others = others
      if case .object(let all) = shape { fields = FieldTable(all) } else { fields = nil }
    }
  }

  /// The arguments for entering a node: those of its feature, or those that a container passes on.
  ///
  /// A field that the node itself gives can be omitted, or be given an optional value.
  mutating func intake(of node: Int) -> Intake {
    if let known = intakes[node] { return known }
    let shapes = arguments(of: node)
    let made = Intake(shapes[0], others: Array(shapes.dropFirst()))
    counter.count(1 + (made.fields?.names.count ?? 0) * shapes.count)
    intakes[node] = made
    return made
  }

  /// The shapes that the arguments for entering a node must fit; the first determines the fields.
  private func arguments(of node: Int) -> [Schema] {
    if let info = features[node] {
      return [supplied(info.arguments, by: node)]
    } else if case .container = manifest.nodes[node].content {
      return (containers[node] ?? [.any]).map { supplied($0, by: node) }
    } else {
      return [.any]
    }
  }

  /// The shape in which fields that the node itself gives are not required.
  private func supplied(_ shape: Schema, by node: Int) -> Schema {
    guard case .object(let fields) = shape,
      case .object(let given)? = manifest.nodes[node].with?.kind
    else { return shape }
    let names = Set(given.map(\.name.value))
    return .object(
      fields.map { field in
        names.contains(field.name)
          ? Schema.Field(
            name: field.name, schema: field.schema, defaultValue: field.defaultValue ?? .null)
          : field
      })
  }

  /// Determines the arguments of each container, inner ones first.
  ///
  /// The use of a container inside itself requires nothing, and neither does a container that is
  /// nested too deeply.
  mutating func findContainerArguments() {
    let uses = manifest.nodes.map { ($0.tabs + $0.background).compactMap { $0.node.id?.index } }
    let components = StronglyConnectedComponents(uses.count, counter: counter) { uses[$0] }
    var heights = Array(repeating: 0, count: uses.count)
    for node in components.members.joined() {
      guard case .container = manifest.nodes[node].content else { continue }
      heights[node] = 1 + (uses[node].map { heights[$0] }.max() ?? 0)
      containers[node] =
        heights[node] > InstanceFactory.containerLimit ? [.any] : containerArguments(of: node)
    }
  }

  private func containerArguments(of node: Int) -> [Schema] {
    var fields = FieldList()
    var isKnown = true
    let definition = manifest.nodes[node]
    for use in definition.tabs + definition.background {
      guard let inner = use.node.id?.index else {
        isKnown = false
        continue
      }
      for shape in arguments(of: inner) {
        isKnown = collect(use.with, for: shape, into: &fields) && isKnown
      }
    }
    counter.count(fields.all.count)
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
    switch expression?.kind {
    case nil, .scalar: return true
    case .invalid: return false
    case .reference(.payload(let path)) where path.isEmpty:
      guard case .object(let all) = expected else { return false }
      for field in all { fields.add(field) }
      return true
    case .object(let given):
      guard case .object(let due) = expected else { return false }
      var isKnown = true
      for field in given {
        if case .invalid = field.value.kind { isKnown = false }
        let schema = due.first { $0.name == field.name.value }
        if case .reference(.payload(let path)) = field.value.kind, path.count == 1, let schema {
          fields.add(
            Schema.Field(
              name: path[0].value, schema: schema.schema, defaultValue: schema.defaultValue))
        } else {
          addMentioned(in: field.value, to: &fields)
        }
      }
      return isKnown
    case .some:
      guard let expression else { return true }
      addMentioned(in: expression, to: &fields)
      return true
    }
  }

  /// Adds a use that does not determine a shape.
  private func addMentioned(
    in expression: Manifest.Expression, to fields: inout FieldList
  ) {
    for reference in expression.references {
      guard case .payload(let path) = reference.value, let first = path.first else { continue }
      fields.add(Schema.Field(name: first.value, schema: .optional(.any)))
    }
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
