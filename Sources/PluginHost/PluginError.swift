public import Support

/// Why a plugin can't be used: the stage of its life, the path, and the rule that it breaks.
///
/// ```
/// Plugins/libMonitor.so: error: plugin not accepted: built against another epoch of the SDK
/// [contract-mismatch]
///   plugin: SDK 0.2.0, epoch 1, Swift 6.3.1
///   host:   SDK 0.3.0, epoch 2, Swift 6.3.1, release
///   help: rebuild the plugin against this host's SDK: `appcore plugin build`, …
/// ```
public struct PluginError: Error, Hashable, Sendable {
  /// A stage of a plugin's life at which it can be refused, in the order of that life.
  public enum Stage: String, CaseIterable, Hashable, Sendable {
    case found, built, read, validated, scanned, loaded, registered

    var failure: String { "plugin not \(self == .validated ? "accepted" : rawValue)" }
  }

  /// The stage at which the plugin was refused.
  public let stage: Stage
  /// The path of the file, or the plugin's name if no file was found.
  public let path: String
  public let cause: Rejection
  package let compiler: CompilerOutput?

  public init(_ stage: Stage, path: String, _ cause: Rejection) {
    self.init(stage, path: path, cause, compiler: nil)
  }

  init(_ stage: Stage, path: String, _ cause: Rejection, compiler: CompilerOutput?) {
    self.stage = stage
    self.path = path
    self.cause = cause
    self.compiler = compiler
  }

  /// The host rejects a plugin's registration; `reason` is the host's message.
  public static func notRegistered(_ path: String, _ reason: String) -> PluginError {
    PluginError(.registered, path: path, .registration(reason))
  }

  /// What is wrong, on one line, without path and stage.
  public var message: String { cause.message }
  /// Further lines that belong to the message.
  public var details: [String] { cause.details }
  public var remedy: String { cause.remedy }
  /// The code by which programs tell errors apart, such as `plugin-not-elf`.
  public var code: String { cause.code }
}

extension PluginError: CustomStringConvertible {
  public var description: String {
    var lines = ["\(path): error: \(stage.failure): \(message) [\(code)]"]
    lines += details.map { "  " + $0 }
    lines.append("  help: " + remedy)
    // Paths, symbols and what a plugin wrote could otherwise move a terminal's cursor or add lines.
    return lines.map(SafeText.line).joined(separator: "\n")
  }
}

// What several types report.
extension Rejection {
  /// The host rejects the plugin's registration; `reason` is the host's message.
  package static func registration(_ reason: String, remedy: String? = nil) -> Rejection {
    Rejection(.pluginRegistration, reason, remedy: remedy)
  }

  package static func scanOutput(_ reason: String) -> Rejection {
    Rejection(.scanOutput, "what it sent can't be understood: \(reason)")
  }
}

func errorText(_ error: Int32) -> String {
  let words = "\(SystemError(error))"
  return words.prefix(1).lowercased() + words.dropFirst()
}
