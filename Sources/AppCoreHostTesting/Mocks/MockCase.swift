internal import AppCheck
public import AppCore

/// A delegate or input action of a ``MockFeature``.
///
/// ```swift
/// let delegates: [MockCase] = ["cancelled", MockCase("loggedIn", ["token": .string])]
/// ```
public struct MockCase: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What the graph knows of it.
  public let schema: CaseSchema
  /// What pressing its button sends; `nil` where only ``AppHarness/emit(_:_:_:)`` can.
  public let sample: Value?

  /// An action that carries nothing.
  public init(stringLiteral name: String) { self.init(name) }

  /// An action with labelled values, as in `loggedIn(token: String)`.
  ///
  /// - Parameters:
  ///   - name: the action's name.
  ///   - payload: the labels and what each of them is; empty for an action that carries nothing.
  ///   - sample: what pressing the action's button sends.
  public init(
    _ name: String, _ payload: KeyValuePairs<String, Schema> = [:], sample: Value? = nil
  ) {
    let fields = payload.map { Schema.Field(name: $0, schema: $1) }
    schema = CaseSchema(name: name, payload: fields.isEmpty ? nil : .object(fields))
    // Spelled out: a bare `nil` would be the value null.
    self.sample = sample ?? (fields.isEmpty ? .object([:]) : Value?.none)
  }

  /// An action with one value that has no label, as in `chosen(String)`.
  ///
  /// - Parameters:
  ///   - name: the action's name.
  ///   - value: what it carries.
  ///   - sample: what pressing the action's button sends.
  public init(_ name: String, value: Schema, sample: Value? = nil) {
    schema = CaseSchema(name: name, payload: value)
    self.sample = sample
  }

  /// An action of an interface.
  init(_ schema: CaseSchema) {
    self.schema = schema
    sample = (schema.payload ?? .object([])).sample(schema.name)
  }
}
