/// Reads a dependency.
///
/// The value is looked up at each read, in the dependencies of the task that reads it.
///
/// ```swift
/// struct Stamp: Reducer {
///   struct State { var stampedAt: Instant? }
///   enum Action: ComponentAction { case stamp }
///   @Dependency(\.date) var date
///
///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
///     state.stampedAt = date.now
///     return .none
///   }
/// }
/// ```
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  private let read: @Sendable (DependencyValues) -> Value
  private let fileID: StaticString
  private let line: UInt

  // The place of the declaration is for the report of a value that a test has not set.
  /// Creates a reader of the dependency at `keyPath`.
  public init(
    _ keyPath: any KeyPath<DependencyValues, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    read = { $0[keyPath: keyPath] }
    self.fileID = fileID
    self.line = line
  }

  /// Creates a reader of the dependency with the key `key`.
  public init<Key: DependencyKey>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) where Key.Value == Value {
    read = { $0[key] }
    self.fileID = fileID
    self.line = line
  }

  public var wrappedValue: Value {
    let values = DependencyValues.current
    // Only reports in tests need the place, so no other read pays for binding it.
    guard values.context == .test else { return read(values) }
    return UnsetDependency.$site.withValue("\(fileID):\(line)") { read(values) }
  }
}
