@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Manifest

// What a container must be given, told by what its tabs and its background take from it.
extension GraphBuilder {
  /// What entering a node takes: the arguments of its feature, or what a container hands on.
  ///
  /// A field that the node itself gives may be left out, and an optional may feed it.
  mutating func arguments(of node: Int) -> Schema {
    let shape: Schema
    if let info = features[node] {
      shape = info.arguments
    } else if case .container = manifest.nodes[node].content {
      shape = containerArguments(of: node)
    } else {
      return .any
    }
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

  private mutating func containerArguments(of node: Int) -> Schema {
    if let known = containers[node] { return known }
    // A container that is in itself asks for nothing more.
    containers[node] = .any
    var fields: [Schema.Field] = []
    var isKnown = true
    let definition = manifest.nodes[node]
    for use in definition.tabs + definition.background {
      guard let inner = use.node.id?.index else {
        isKnown = false
        continue
      }
      isKnown = collect(use.with, for: arguments(of: inner), into: &fields) && isKnown
    }
    // What nobody gives is told where it is taken, once.
    fields = fields.map { field in
      isNeverGiven(field.name, to: node)
        ? Schema.Field(name: field.name, schema: field.schema, defaultValue: .null) : field
    }
    let shape: Schema = isKnown ? .object(fields) : .any
    containers[node] = shape
    return shape
  }

  /// Adds what `expression` takes of `$`.
  ///
  /// - Returns: whether that could be told.
  private func collect(
    _ expression: Manifest.Expression?, for expected: Schema, into fields: inout [Schema.Field]
  ) -> Bool {
    switch expression?.kind {
    case nil, .scalar: return true
    case .invalid: return false
    case .reference(.payload(let path)) where path.isEmpty:
      guard case .object(let all) = expected else { return false }
      for field in all { add(field, to: &fields) }
      return true
    case .object(let given):
      guard case .object(let due) = expected else { return false }
      for field in given {
        let schema = due.first { $0.name == field.name.value }
        if case .reference(.payload(let path)) = field.value.kind, path.count == 1, let schema {
          add(
            Schema.Field(
              name: path[0].value, schema: schema.schema, defaultValue: schema.defaultValue),
            to: &fields)
        } else {
          addMentioned(in: field.value, to: &fields)
        }
      }
      return true
    case .some:
      guard let expression else { return true }
      addMentioned(in: expression, to: &fields)
      return true
    }
  }

  /// Adds what is taken in a way that says nothing of its shape.
  private func addMentioned(
    in expression: Manifest.Expression, to fields: inout [Schema.Field]
  ) {
    for reference in expression.references {
      guard case .payload(let path) = reference.value, let first = path.first else { continue }
      add(Schema.Field(name: first.value, schema: .optional(.any)), to: &fields)
    }
  }

  /// Adds a field; of two uses the one that asks for more counts.
  private func add(_ field: Schema.Field, to fields: inout [Schema.Field]) {
    guard let index = fields.firstIndex(where: { $0.name == field.name }) else {
      fields.append(field)
      return
    }
    if fields[index].schema == .optional(.any) || !fields[index].isRequired && field.isRequired {
      fields[index] = field
    }
  }
}
