internal import AppCheck
internal import AppCore
internal import PluginHost
internal import Sessions
internal import Shell
internal import Support

/// `appcore --version --json`: the versions of appcore, its plugin contract and its formats.
enum VersionReport {
  /// The report; `nil` unless the arguments are exactly `--version` and `--json`.
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
          ("recording", .int(RecordingHeader.currentFormat)), ("screen", .int(JSONFrame.version)),
        ])
      ),
    ]).text
  }
}
