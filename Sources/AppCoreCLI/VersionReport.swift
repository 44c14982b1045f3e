internal import AppCheck
internal import AppCore
internal import Lock
internal import Sessions
internal import Shell
internal import Support
internal import Timeline

/// `appcore --version --json`: what programs want to know before they use this one.
enum VersionReport {
  /// The report, where that is what the arguments ask for.
  static func text(for arguments: some Collection<String>) -> String? {
    guard arguments.count == 2, Set(arguments) == ["--version", "--json"] else { return nil }
    return text
  }

  private static var text: String {
    JSONTree.object([
      ("name", "appcore"), ("version", .string(SDK.version)),
      (
        "contract",
        .object([
          ("symbol", .string(SDK.contractSymbol)), ("epoch", .int(SDK.epoch)),
          ("compiler", .string(SDK.compilerVersion)),
        ])
      ),
      ("sdk", .string(SDK.version)),
      ("architecture", .string(AppLock.Target.current.architecture)),
      (
        "formats",
        .object([
          ("manifest", 1), ("lock", .int(AppLock.format)),
          ("session", .int(Int(ImageFrame.version))),
          ("interface", .int(PluginInterface.format)),
          ("recording", .int(RecordingHeader.format)), ("screen", .int(JSONFrame.version)),
        ])
      ),
    ]).text
  }
}
