internal import AppCheck
internal import PluginHost
internal import Support

struct BundleError: CommandFailure {
  /// The file or folder that the error is about, as it is shown in the message.
  let path: String
  let cause: Rejection

  init(_ path: String, _ rule: Rule, _ message: String, details: [String] = []) {
    self.path = path
    cause = Rejection(rule, message, details: details)
  }

  /// Creates an error from another module's rejection.
  init(_ path: String, _ cause: Rejection) {
    self.path = path
    self.cause = cause
  }

  /// Creates an error from a system error, with the rule `bundle-not-written`.
  init(_ path: String, _ error: SystemError) {
    self.init(path, .bundleNotWritten, "\(error)")
  }

  /// Runs `body`, and converts a system error into an error about `path`.
  static func reporting<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(BundleError) -> Result {
    do throws(SystemError) { return try body() } catch { throw BundleError(path, error) }
  }

  /// The bytes of a file; an error is about that file.
  static func read(_ path: String, limit: Int = .max) throws(BundleError) -> [UInt8] {
    try reporting(path) { () throws(SystemError) in try WholeFile.read(path, limit: limit) }
  }

  var description: String { [cause].text(about: path) }

  var exitStatus: Int32 {
    switch cause.rule {
    case .bundleNotInstalled, .bundleTool, .lockNoVerifier: 69
    case .bundleNotWritten, .lockNotWritten: 74
    case .bundleTargetExists, .bundleTargetInside, .bundleArchiveForm: 64
    default: 65
    }
  }
}
