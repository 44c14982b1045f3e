/// Asks a plugin what it is, in a process of its own, once for each content.
///
/// The answer is kept under the plugin's content, so that a start costs a process only for what
/// is new. A crash is kept too: such a plugin is in quarantine until its file changes.
public struct PluginScanner: Sendable {
  /// The process to run; the plugin's path is added as its last argument.
  public let process: ScanProcess
  private let cache: ScanCache?

  /// Makes a scanner.
  ///
  /// - Parameters:
  ///   - process: the program that loads a plugin and writes what it says of itself.
  ///   - cache: where answers are kept; `nil` to ask every time.
  public init(process: ScanProcess, cache: ScanCache?) {
    self.process = process
    self.cache = cache
  }

  /// Returns what the plugin said of itself, now or when these bytes were scanned before.
  ///
  /// Blocks the thread while the process runs.
  ///
  /// - Throws: a problem of stage ``PluginProblem/Stage/scanned``.
  public func scan(_ plugin: JudgedPlugin) throws(PluginProblem) -> [UInt8] {
    let path = plugin.file.path
    switch cache?.outcome(for: plugin) {
    case .answer(let bytes): return bytes
    case .quarantine(let cause): throw PluginProblem(.scanned, path: path, cause)
    case nil: break
    }
    var process = process
    process.arguments.append(path)
    do throws(PluginProblem) {
      let bytes = try process.run(scanning: path)
      try requireUnchanged(plugin)
      cache?.store(.answer(bytes), for: plugin)
      return bytes
    } catch {
      if ScanCache.isLasting(error.cause), (try? requireUnchanged(plugin)) != nil {
        cache?.store(.quarantine(error.cause), for: plugin)
      }
      throw error
    }
  }

  /// The child reads the file again, so the answer is about these bytes only if it is the same.
  private func requireUnchanged(_ plugin: JudgedPlugin) throws(PluginProblem) {
    guard PluginFile.identity(of: plugin.file.path) == plugin.file.identity else {
      throw PluginProblem(.scanned, path: plugin.file.path, .changedWhileRead)
    }
  }
}
