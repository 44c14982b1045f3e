@_spi(Host) import AppCore

@testable import AppCheck

/// All that manifests can do with a plugin's interface, as parts of a manifest: for each place that a
/// shape has in it, what may be given there and what it may be passed on to.
struct InterfaceUses {
  private let old: PluginInterface
  private let new: PluginInterface
  /// The parts of one manifest.
  private(set) var parts: [ManifestPart] = []
  /// Parts that would change what the others mean, each for a manifest of its own.
  private(set) var loners: [ManifestPart] = []

  init(_ old: PluginInterface, _ new: PluginInterface) {
    self.old = old
    self.new = new
    for feature in old.info.features where feature.defect == nil {
      let next = new.info.features.first { $0.name == feature.name }
      addArguments(feature, next)
      for delegate in feature.delegates {
        let other = next?.delegates.first { $0.name == delegate.name }
        addPayload(delegate, of: feature, other.map { $0.payload ?? .object([]) })
      }
      for input in feature.inputs {
        let other = next?.inputs.first { $0.name == input.name }
        addInput(input, of: feature, other.map { $0.payload ?? .object([]) })
      }
      for input in next?.inputs ?? []
      where !feature.inputs.contains(where: { $0.name == input.name }) {
        addNewInput(input, of: feature)
      }
    }
  }

  // MARK: Parts

  /// A node of a feature of `P`, its delegate actions ignored but for one.
  private func node(
    _ name: String, _ feature: FeatureInfo, with: String? = nil, besides: String? = nil
  ) -> ManifestPart {
    let ignored = feature.delegates.map(\.name).filter { $0 != besides }
    return ManifestPart(
      nodes: ["\(name): { feature: \(feature.name)\(with.map { ", with: \($0)" } ?? "") }"],
      routes: ignored.isEmpty
        ? [] : ["- { from: \(name), action: [\(ignored.joined(separator: ", "))], do: ignore }"])
  }

  /// A feature of `Q` that emits one action, with a node of it.
  private func emitter(_ number: Int, _ payload: Schema, in part: inout ManifestPart) -> String {
    part.features.append(
      FeatureInfo(
        name: "Q.Emitter\(number)", delegates: [CaseSchema(name: "emitted", payload: payload)]))
    part.nodes.append("emitter\(number): { feature: Q.Emitter\(number) }")
    return "from: emitter\(number), action: emitted"
  }

  private static func with(_ text: String?) -> String { text.map { ", with: \($0)" } ?? "" }

  // MARK: Arguments

  /// Adds a route that enters a node with something.
  private mutating func enter(
    _ feature: FeatureInfo, _ with: String?, payload: Schema = .object([]), own: String? = nil
  ) {
    let number = parts.count
    var part = node("page\(number)", feature, with: own)
    let from = emitter(number, payload, in: &part)
    part.routes.append("- { \(from), push: page\(number)\(Self.with(with)) }")
    parts.append(part)
  }

  private mutating func addArguments(_ feature: FeatureInfo, _ next: FeatureInfo?) {
    enter(feature, nil)
    for literal in feature.arguments.literals { enter(feature, literal) }
    for source in feature.arguments.sources(next?.arguments) {
      enter(feature, "$", payload: source)
    }
    guard case .object(let fields) = feature.arguments else { return }
    let given = GivenFields(fields)
    enter(feature, given.text(), payload: .object([Self.any]))
    // Given by the node itself, it may be null in the route.
    if !given.refers {
      enter(feature, nil, own: given.text())
      enter(feature, "$", payload: .object([]), own: given.text())
    }
    for field in fields {
      let other = next?.arguments.part([field.name])
      for literal in field.schema.literals {
        enter(feature, given.text(field.name, literal), payload: .object([Self.any]))
        container(feature, field, given.text(field.name, "$.\(field.name)"), literal)
      }
      enter(feature, given.text(field.name, "\"v{$.any}\""), payload: .object([Self.any]))
      for source in field.schema.sources(other) {
        for payload in source.isOptional ? [source] : [source, .optional(source)] {
          let shape = Schema.object([Self.any, Schema.Field(name: "x", schema: payload)])
          enter(feature, given.text(field.name, "$.x"), payload: shape)
          if let own = field.schema.literals.first {
            enter(
              feature, given.text(field.name, "$.x"), payload: shape,
              own: "{ \(field.name): \(own) }")
          }
        }
      }
      link(feature, given.text(field.name, "$.p"))
    }
  }

  /// Adds a container with the feature as a tab, beside one that wants the same field.
  private mutating func container(
    _ feature: FeatureInfo, _ field: Schema.Field, _ with: String, _ literal: String
  ) {
    guard !with.contains("$.any") else { return }
    for schema in [nil, Schema.string, .int] {
      let number = parts.count
      var part = node("page\(number)", feature)
      part.nodes.append(
        "box\(number): { tabs: [{ node: page\(number), with: \(with) }"
          + (schema == nil
            ? "] }" : ", { node: other\(number), with: { y: $.\(field.name) } }] }"))
      if let schema {
        addReceiver("other", number, .object([.init(name: "y", schema: schema)]), &part)
      }
      let from = emitter(number, .object([]), in: &part)
      part.routes.append("- { \(from), push: box\(number), with: { \(field.name): \(literal) } }")
      parts.append(part)
    }
  }

  /// Adds a link with a parameter that feeds the feature, and in one case something else too.
  private mutating func link(_ feature: FeatureInfo, _ with: String) {
    guard !with.contains("$.any") else { return }
    let others: [Schema?] = [
      nil, .string, .secret, .int, .double, .bool, .choice(["x"]),
      .choice(["x", "y", "z", "null"]),
    ]
    for other in others {
      let number = parts.count
      var part = node("page\(number)", feature)
      var steps = "[page\(number), { push: page\(number), with: \(with) }"
      if let other {
        addReceiver("other", number, .object([.init(name: "y", schema: other)]), &part)
        steps += ", { push: other\(number), with: { y: $.p } }"
      }
      // Only the second step gives something: the first one is a page without arguments.
      let first = "first\(number)"
      addReceiver("first", number, .object([]), &part)
      steps = steps.replacing("[page\(number),", with: "[\(first),")
      part.links.append("- { path: \"link\(number)/{p}\", open: \(steps)] }")
      parts.append(part)
      // Another one inserts the parameter.
      guard other == nil else { continue }
      var text = part
      addReceiver("text", number, .object([.init(name: "y", schema: .string)]), &text)
      text.links = [
        part.links[0].replacing(
          "] }", with: ", { push: text\(number), with: { y: \"v{$.p}\" } }] }")
      ]
      parts.append(renumbered(text, from: number, to: parts.count))
    }
  }

  private func renumbered(_ part: ManifestPart, from: Int, to: Int) -> ManifestPart {
    func renamed(_ text: String) -> String {
      ["page", "first", "other", "text", "link", "Reader"].reduce(text) { text, word in
        text.replacing("\(word)\(from)", with: "\(word)\(to)")
      }
    }
    return ManifestPart(
      nodes: part.nodes.map(renamed), routes: part.routes.map(renamed),
      links: part.links.map(renamed),
      features: part.features.map {
        FeatureInfo(
          name: renamed($0.name), arguments: $0.arguments, delegates: $0.delegates,
          inputs: $0.inputs)
      })
  }

  /// A node of a feature of `Q` that takes something.
  private func addReceiver(
    _ name: String, _ number: Int, _ arguments: Schema, _ part: inout ManifestPart
  ) {
    let feature = "Q.\(name)Reader\(number)"
    part.features.append(FeatureInfo(name: feature, arguments: arguments))
    part.nodes.append("\(name)\(number): { feature: \(feature) }")
  }

  // MARK: Payloads

  private mutating func addPayload(
    _ delegate: CaseSchema, of feature: FeatureInfo, _ next: Schema?
  ) {
    let payload = delegate.payload ?? .object([])
    for (path, schema) in payload.parts {
      let reference = (["$"] + path).joined(separator: ".")
      for receiver in schema.receivers(next?.part(path)) {
        for expected in receiver.isOptional ? [receiver] : [receiver, .optional(receiver)] {
          pass(delegate, of: feature, to: expected, "{ x: \(reference) }")
        }
        if case .object = receiver { pass(delegate, of: feature, whole: receiver, reference) }
      }
      pass(delegate, of: feature, to: .any, "{ x: \(reference) }")
      pass(delegate, of: feature, to: .string, "{ x: \"v{\(reference)}\" }")
    }
  }

  private mutating func pass(
    _ delegate: CaseSchema, of feature: FeatureInfo, to schema: Schema? = nil,
    whole: Schema = .any, _ with: String
  ) {
    let number = parts.count
    var part = node("page\(number)", feature, besides: delegate.name)
    addReceiver(
      "other", number, schema.map { .object([.init(name: "x", schema: $0)]) } ?? whole, &part)
    part.routes.append(
      "- { from: page\(number), action: \(delegate.name), push: other\(number), with: \(with) }")
    parts.append(part)
  }

  // MARK: Inputs

  private mutating func addInput(
    _ input: CaseSchema, of feature: FeatureInfo, _ next: Schema?
  ) {
    let payload = input.payload ?? .object([])
    notify(input, of: feature, nil)
    for literal in payload.literals { notify(input, of: feature, literal) }
    for source in payload.sources(next) { notify(input, of: feature, "$", payload: source) }
    guard case .object(let fields) = payload else { return }
    let given = GivenFields(fields)
    notify(input, of: feature, given.text(), payload: .object([Self.any]))
    for field in fields {
      notify(input, of: feature, given.text(field.name, "$.any"), payload: .object([Self.any]))
      for source in field.schema.sources(next?.part([field.name])) {
        for payload in source.isOptional ? [source] : [source, .optional(source)] {
          notify(
            input, of: feature, given.text(field.name, "$.x"),
            payload: .object([Self.any, .init(name: "x", schema: payload)]))
        }
      }
    }
  }

  /// A field of which nothing is known.
  private static let any = Schema.Field(name: "any", schema: .any)

  private mutating func notify(
    _ input: CaseSchema, of feature: FeatureInfo, _ with: String?, payload: Schema = .object([])
  ) {
    let number = parts.count
    var part = node("page\(number)", feature)
    let from = emitter(number, payload, in: &part)
    part.routes.append(
      "- { \(from), notify: page\(number), as: \(input.name)\(Self.with(with)) }")
    parts.append(part)
  }

  /// Routes that notify whatever is in front of an input that the feature does not have yet.
  private mutating func addNewInput(_ input: CaseSchema, of feature: FeatureInfo) {
    let payloads: [(Schema?, String?)] = [
      (nil, nil), (.object([.init(name: "zz", schema: .int)]), "{ zz: 1 }"),
    ]
    for (payload, with) in payloads {
      var part = node("page", feature)
      part.features.append(
        FeatureInfo(name: "Q.Hearer", inputs: [CaseSchema(name: input.name, payload: payload)]))
      part.nodes.append("hearer: { feature: Q.Hearer }")
      let from = emitter(0, .object([]), in: &part)
      part.routes.append("- { \(from), notify: current, as: \(input.name)\(Self.with(with)) }")
      loners.append(part)
    }
  }
}

/// The fields that have to be given: by literals, or by a payload of which nothing is known where
/// there is no literal.
private struct GivenFields {
  private let base: [(name: String, text: String)]

  init(_ fields: [Schema.Field]) {
    base = fields.filter(\.isRequired).map { ($0.name, $0.schema.literals.first ?? "$.any") }
  }

  /// Whether a payload is needed.
  var refers: Bool { base.contains { $0.text == "$.any" } }

  /// A map of them, in which a field may have another value.
  func text(_ name: String? = nil, _ text: String = "") -> String {
    let rest = base.filter { $0.name != name }.map { "\($0.name): \($0.text)" }
    let all = rest + (name.map { ["\($0): \(text)"] } ?? [])
    return all.isEmpty ? "{}" : "{ \(all.joined(separator: ", ")) }"
  }
}
