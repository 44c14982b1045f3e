internal import PluginHost

/// The work of the process that plugins are loaded in first.
public enum ScanReport {
  /// Loads the plugins that the process asks for which started this one, and sends what each says of
  /// itself.
  ///
  /// - Returns: the status to end with: 0, or 64 where nobody asks.
  public static func serve() -> Int32 {
    ScanServer.run(form: PluginInfo.form) { plugin throws(PluginError) in
      PluginInfo(try PluginLoading.register(plugin)).bytes
    }
  }

  /// Scans if that is what this process was started for.
  ///
  /// A host that is its own scanner calls this before anything else, ends with the status if there
  /// is one, and gives its own path as ``AppOptions/scanner``.
  ///
  /// - Parameter arguments: the process's arguments.
  /// - Returns: the status to exit with; `nil` where the process was started for its own work.
  public static func answer(_ arguments: [String] = CommandLine.arguments) -> Int32? {
    arguments.count == 2 && arguments[1] == ScannerProgram.command ? serve() : nil
  }
}
