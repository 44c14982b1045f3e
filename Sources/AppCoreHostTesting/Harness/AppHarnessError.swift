public import AppCoreHost

/// Why an ``AppHarness`` could not carry out an action of a test.
public enum AppHarnessError: Error {
  /// The app can't be loaded or started; the error lists every problem.
  case load(AppLoadError)
  /// A mock's name is not of the form `Plugin.Feature`.
  case mockName(String)
  /// Two mocks have the same name.
  case mockTwice(String)
  /// A mock belongs to a plugin that the test also links as a type.
  case mockOfPlugin(String)
  /// The manifest does not use a plugin of the test.
  case unusedPlugin(String, manifest: [String])
  case refused(RefusedLine)
  /// A line that should have been refused was not.
  case accepted(line: String)
  /// A line contains a newline.
  case severalLines(String)
  /// A line came after `:quit`.
  case ended(line: String)
  /// Effects were still running after the harness's timeout.
  case unsettled(after: String, limit: Duration)
  /// A recording can't be read, contains a line with a secret, or has another path than the app.
  case recording(String)
  /// An instance can't emit an action, or its state can't be read.
  case instance(InstanceError)
}

extension AppHarnessError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .load(let error): "\(error)"
    case .mockName(let name):
      "the mock '\(name)' is not named 'Plugin.Feature'; name it as the manifest's nodes do"
    case .mockTwice(let name): "there are two mocks named '\(name)'; leave one of them out"
    case .mockOfPlugin(let name):
      "the mock '\(name)' belongs to a plugin that 'plugins' holds too; leave one of them out, or "
        + "mock all of the plugin's features"
    case .unusedPlugin(let name, let manifest):
      "the manifest names no plugin '\(name)', so it is not used; it names: "
        + manifest.joined(separator: ", ")
    case .refused(let refusal): "\(refusal)"
    case .accepted(let line):
      "the line '\(line)' should have been refused, and was carried out"
    case .severalLines(let text):
      "'\(text)' holds a newline; give each line as an argument of its own"
    case .ended(let line): "the line '\(line)' came after ':quit'"
    case .unsettled(let after, let limit):
      "\(after): effects were still at work after \(limit); they probably wait for something else "
        + "than the clock. Put a dependency in its place, or wait longer with 'timeout:'"
    case .recording(let reason): reason
    case .instance(let problem): "\(problem)"
    }
  }
}

/// A line that was refused, and changed nothing.
public struct RefusedLine: Hashable, Sendable, CustomStringConvertible {
  public let line: String
  /// The refusal's code, as in `no-such-id`.
  public let code: String
  /// Why, in words.
  public let reason: String

  public init(line: String, code: String, reason: String) {
    self.line = line
    self.code = code
    self.reason = reason
  }

  public var description: String { "the line '\(line)' was refused: \(reason) [\(code)]" }
}
