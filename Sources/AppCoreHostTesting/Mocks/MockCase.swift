internal import AppCheck
public import AppCore

/// A delegate or input action of a ``MockFeature``.
///
/// ```swift
/// let delegates: [MockCase] = ["cancelled", MockCase("loggedIn", ["token": .string])]
/// ```
public struct MockCase: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The action's name and the type of its payload.
  public let schema: CaseSchema
  /// The payload that pressing the action's button sends.
  ///
  /// `nil` if the button is disabled, so that only
  /// ``AppHarness/emit(_:_:_:fileID:filePath:line:column:)`` can send the action.
  public let sample: Value?

  /// Creates an action without a payload.
  public init(stringLiteral name: String) { self.init(name) }

  /// Creates an action with labelled values, as in `loggedIn(token: String)`; the payload has their
  /// labels and types.
  public init(
    _ name: String, _ payload: KeyValuePairs<String, Schema> = [:], sample: Value? = nil
  ) {
    let fields = payload.map { Schema.Field(name: $0, schema: $1) }
    schema = CaseSchema(name: name, payload: fields.isEmpty ? nil : .object(fields))
    // A bare `nil` would be the literal of the value null.
    self.sample = sample ?? (fields.isEmpty ? .object([:]) : Value?.none)
  }

  /// Creates an action with one unlabelled value, as in `chosen(String)`.
  public init(_ name: String, value: Schema, sample: Value? = nil) {
    schema = CaseSchema(name: name, payload: value)
    self.sample = sample
  }

  /// Creates an action from a plugin's interface, with a generated sample.
  init(_ schema: CaseSchema) {
    self.schema = schema
    sample = (schema.payload ?? .object([])).sample(schema.name)
  }
}
