internal import PluginHost

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
}

/// Why a scan failed, in words.
public struct PluginScanError: Error, CustomStringConvertible {
  public let description: String
}
