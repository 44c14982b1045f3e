/// The key of a value that features read from their environment, so that tests can replace it.
///
/// A dependency that is its own key declares no `Value`:
///
/// ```swift
/// struct Greeter: DependencyKey {
///   var greeting: @Sendable (_ name: String) -> String
///   static let liveValue = Greeter { "Good day, \($0)." }
///   static let testValue = Greeter { "Hello, \($0)." }
/// }
///
/// struct Welcome: Reducer {
///   enum Action: ComponentAction { case arrived(String) }
///   @Dependency(Greeter.self) var greeter
///
///   func reduce(into state: inout String, action: Action) -> Effect<Action> {
///     if case .arrived(let name) = action { state = greeter.greeting(name) }
///     return .none
///   }
/// }
/// ```
public protocol DependencyKey: SendableMetatype {
  /// The type of the dependency; by default the key itself.
  associatedtype Value: Sendable = Self
  /// The value outside of tests.
  static var liveValue: Value { get }
  /// The value in tests that set none.
  ///
  /// By default, reading the dependency in a test is reported with its name, and the live value is
  /// used: a test must not depend on something it doesn't know about.
  static var testValue: Value { get }
}

extension DependencyKey {
  public static var testValue: Value {
    UnsetDependency.report(key: Self.self, value: Value.self)
    return liveValue
  }
}

/// Reports a dependency that a test has not set.
enum UnsetDependency {
  /// The name of the dependency that is being read.
  @TaskLocal static var name: String?
  /// Where it is being read.
  @TaskLocal static var site: String?
  /// Whether it is read only because it is about to be set.
  @TaskLocal static var isExpected = false

  static func report(key: Any.Type, value: Any.Type) {
    guard !isExpected else { return }
    let name = name ?? String(describing: key)
    // This is the subscript's own name if no property was used; the type is more useful.
    let isProperty = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    let shown = isProperty ? name : String(describing: key)
    RuntimeIssue.report(
      """
      the dependency '\(shown)' is not set in this test\(site.map { "; it is read at \($0)" } ?? "")
        - set it for the test: \
      'withDependencies { $0\(isProperty ? ".\(name)" : "[\(key).self]") = … }'
        - or give its key '\(key)' a 'testValue' of type '\(value)', if every test can do with one
      """)
  }
}
