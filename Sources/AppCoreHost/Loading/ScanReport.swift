internal import Glibc
internal import PluginHost
internal import Shell

/// The work of the process that a plugin is loaded in first.
public enum ScanReport {
  /// Loads a plugin and lets it describe itself.
  ///
  /// - Returns: what the host reads from the process's standard output.
  /// - Throws: the problem, in words.
  public static func ofPlugin(at path: String) throws(PluginScanError) -> String {
    do throws(PluginProblem) {
      return try PluginLoading.scan(path)
    } catch {
      throw PluginScanError(description: "\(error)")
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
    guard arguments.count == 3, arguments[1] == ScannerProgram.command else { return nil }
    do throws(PluginScanError) {
      print(try ofPlugin(at: arguments[2]), terminator: "")
      return 0
    } catch {
      // Where it can't be written nobody reads it.
      try? OutputWriter(descriptor: STDERR_FILENO).write(lines: ["\(error)"])
      return 69
    }
  }
}

/// Why a scan failed, in words.
public struct PluginScanError: Error, CustomStringConvertible {
  public let description: String
}
