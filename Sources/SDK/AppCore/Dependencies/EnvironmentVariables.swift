internal import Glibc

/// The process's environment: `environment["HOME"]`.
public struct EnvironmentVariables: Hashable, Sendable {
  /// The variables by their names.
  public let values: [String: String]

  /// Creates an environment of `values`.
  public init(_ values: [String: String]) { self.values = values }

  /// The variable `name`; `nil` if it isn't set.
  public subscript(name: String) -> String? { values[name] }

  /// The current environment of the process.
  static var process: EnvironmentVariables {
    var values: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      next += 1
      let text = String(cString: entry)
      guard let separator = text.firstIndex(of: "=") else { continue }
      values[String(text[..<separator])] = String(text[text.index(after: separator)...])
    }
    return EnvironmentVariables(values)
  }
}

extension EnvironmentVariables: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension DependencyValues {
  /// The process's environment; in a test, as in `$0.environment = ["HOME": "/home/ada"]`.
  public var environment: EnvironmentVariables {
    get { self[EnvironmentKey.self] }
    set { self[EnvironmentKey.self] = newValue }
  }
}

private enum EnvironmentKey: DependencyKey {
  // Read once: other threads may change the environment, and a concurrent read is unsafe.
  static let liveValue = EnvironmentVariables.process
}
