internal import Support

/// Why an app can't be run.
public enum AppLoadError: Error {
  /// There is no such manifest, or it can't be read.
  case unreadable(path: String, cause: String)
  /// There is a mock of a plugin that the manifest does not list.
  case unusedMock(name: String, plugins: [String])
  case problems(ManifestReport)
  /// A plugin can't be created with its configuration.
  case plugin(name: String, reason: String)
  /// The first instance can't be shown.
  case start(reason: String)

  /// The status that a program should end with.
  public var exitStatus: Int32 {
    switch self {
    case .unreadable: 66
    case .unusedMock: 65
    case .problems(let report): report.exitStatus
    case .plugin: 69
    case .start: 65
    }
  }
}

extension AppLoadError: CustomStringConvertible {
  public var description: String {
    // A path or a plugin's error may contain line breaks.
    switch self {
    case .unreadable(let path, let cause):
      SafeText.line(
        "appcore: can't read '\(path)': \(cause)"
          + (cause.hasPrefix("No such") ? "; name a manifest that exists" : ""))
    case .unusedMock(let name, let plugins):
      SafeText.line(
        "appcore: '--mock \(name)=…': the manifest does not list the plugin '\(name)'"
          + (NearestName.of(name, among: plugins).map { "; did you mean '\($0)'?" }
            ?? "; it lists \(plugins.isEmpty ? "none" : plugins.joined(separator: ", "))"))
    case .problems(let report): String(report.text.dropLast())
    case .plugin(let name, let reason):
      SafeText.line(
        "appcore: the plugin '\(name)' can't be made: \(reason); "
          + "correct what its 'with' gives in the manifest")
    case .start(let reason): SafeText.line("appcore: the app can't begin: \(reason)")
    }
  }
}
