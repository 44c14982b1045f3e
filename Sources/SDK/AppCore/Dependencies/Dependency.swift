/// Reads a dependency.
///
/// The value is looked up whenever it is read, on the task that reads it.
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

  /// A reader of the dependency at `keyPath`.
  ///
  /// - Parameters:
  ///   - keyPath: the dependency.
  ///   - fileID: where it is read, for the report of a value that a test has not set.
  ///   - line: where it is read.
  public init(
    _ keyPath: any KeyPath<DependencyValues, Value> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    read = { $0[keyPath: keyPath] }
    self.fileID = fileID
    self.line = line
  }

  /// A reader of the dependency under `key`.
  ///
  /// - Parameters:
  ///   - key: the dependency.
  ///   - fileID: where it is read, for the report of a value that a test has not set.
  ///   - line: where it is read.
  public init<Key: DependencyKey>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) where Key.Value == Value {
    read = { $0[key] }
    self.fileID = fileID
    self.line = line
  }

  public var wrappedValue: Value {
    let values = DependencyValues.current
    // Only tests ask where: elsewhere a read costs no more than it must.
    guard values.context == .test else { return read(values) }
    return UnsetDependency.$site.withValue("\(fileID):\(line)") { read(values) }
  }
}
