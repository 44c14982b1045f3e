internal import Support

/// Asks plugins for their features, in a process of their own, once for each content.
///
/// Used for one start: ``add(_:)`` each plugin, then ``finish()``. All new plugins share one
/// process, which runs while the next ones are read and validated. Results are cached, so that the
/// next start needs no process, and need not even read the files: see ``known(_:trust:)``. A plugin
/// that ends the process, hangs or prints too much is in quarantine until its file, a library that
/// it brings along, or the SDK changes.
public final class PluginScanner {
  private let session: ScanSession
  private let cache: ScanCache?
  private let rescans: Bool
  private var plugins: [PreparedPlugin] = []
  /// The index of each plugin in the session; `nil` if its result was cached.
  private var places: [Int?] = []
  private var scanResults: [ScanResult?] = []

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - process: the program that loads plugins and sends their descriptions; it runs
  ///     ``ScanServer``.
  ///   - form: the version of the format of the answers.
  ///   - cache: where results are kept; `nil` to scan every time.
  ///   - rescans: whether cached results are discarded.
  public init(process: ScanProcess, form: String, cache: ScanCache?, rescans: Bool = false) {
    session = ScanSession(process, form: form)
    self.cache = cache
    self.rescans = rescans
  }

  /// The plugin in a file that was read before and has not changed; see ``ScanCache``.
  ///
  /// The result is also `nil` if the plugin must be scanned and its copies are gone.
  public func known(_ path: String, trust: FileTrust) -> PreparedPlugin? {
    known(path, trust: trust, isSealed: false)
  }

  /// The same; where it is to have its seal, one that was remembered without it is not known.
  package func known(_ path: String, trust: FileTrust, isSealed: Bool) -> PreparedPlugin? {
    guard let cache, let plugin = cache.known(path, trust: trust),
      !isSealed || plugin.seal != nil, plugin.findsCopies(isGuarding: isSealed || !trust.allowsAll),
      !rescans && cache.scanResult(on: plugin) != nil || plugin.hasSoundCopies
    else { return nil }
    return plugin
  }

  /// Adds a plugin.
  ///
  /// - Returns: its index in the results of ``finish()``.
  public func add(_ plugin: PreparedPlugin) -> Int {
    if rescans { cache?.forget(plugin) }
    let scanResult = cache?.scanResult(on: plugin)
    plugins.append(plugin)
    scanResults.append(scanResult)
    places.append(scanResult == nil ? session.submit(plugin) : nil)
    return plugins.count - 1
  }

  /// Waits for the answers.
  ///
  /// - Returns: for each plugin its encoded description, or a problem of stage `scanned`, `loaded`
  ///   or `registered`.
  public func finish() -> [Result<[UInt8], PluginError>] {
    session.finish()
    let results = plugins.indices.map { index -> Result<[UInt8], PluginError> in
      let plugin = plugins[index]
      defer { plugin.discardTemporaryCopies() }
      cache?.remember(plugin)
      if let scanResult = scanResults[index] { return result(scanResult, plugin) }
      guard let place = places[index], let outcome = session.outcomes[place] else {
        return .failure(PluginError(.scanned, path: plugin.path, .scanOutput("it has none")))
      }
      switch outcome {
      case .answer(let bytes):
        cache?.store(.answer(bytes), on: plugin)
        return .success(bytes)
      case .notLoaded(let refusal):
        return .failure(PluginError(.loaded, path: plugin.path, refusal.cause(of: plugin)))
      case .quarantined(let cause):
        cache?.store(.quarantine(cause), on: plugin)
        return .failure(Self.problem(cause, plugin))
      case .failed(let cause):
        return .failure(Self.problem(cause, plugin))
      }
    }
    cache?.save()
    return results
  }

  private func result(
    _ scanResult: ScanResult, _ plugin: PreparedPlugin
  ) -> Result<[UInt8], PluginError> {
    switch scanResult {
    case .answer(let bytes): .success(bytes)
    case .quarantine(let cause): .failure(Self.problem(cause, plugin))
    }
  }

  private static func problem(
    _ cause: Rejection, _ plugin: PreparedPlugin
  ) -> PluginError {
    PluginError(
      cause.rule == .pluginRegistration ? .registered : .scanned, path: plugin.path, cause)
  }
}
