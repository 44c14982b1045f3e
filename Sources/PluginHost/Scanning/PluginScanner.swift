internal import Glibc
internal import Support

/// Asks plugins for their features, each in a process of its own, once for each content.
///
/// Used for one start: ``add(_:)`` each plugin, then ``finish()``. Several processes run side by
/// side, while the next plugins are read and validated. Results are cached, so that the next start
/// needs no process, and need not even read the files: see ``known(_:trust:)``. A plugin that ends
/// the process, hangs or prints too much is in quarantine until its file, a library that it brings
/// along, or the SDK changes.
public final class PluginScanner {
  private let process: ScanProcess
  private let form: String
  private let cache: ScanCache?
  private let rescans: Bool
  private var plugins: [PreparedPlugin] = []
  private var results: [ScanResult?] = []
  /// The indices of plugins that are not being scanned yet.
  private var waiting: ArraySlice<Int> = []
  private var running: [(index: Int, scan: PluginScan)] = []
  /// Those that took too long once: the machine may have been busy, so each is tried twice.
  private var late: Set<Int> = []

  private static let width = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  public init(process: ScanProcess, form: String, cache: ScanCache?, rescans: Bool = false) {
    self.process = process
    self.form = form
    self.cache = cache
    self.rescans = rescans
  }

  /// The plugin in a file that was read before and has not changed; see ``ScanCache``.
  ///
  /// The result is also `nil` if the plugin must be scanned and its copies are gone. With
  /// `hasDigests`, a plugin that was remembered without them is not known.
  package func known(_ path: String, trust: FileTrust, hasDigests: Bool) -> PreparedPlugin? {
    guard let cache, let plugin = cache.known(path, trust: trust),
      !hasDigests || plugin.digests != nil,
      plugin.findsCopies(isGuarding: hasDigests || !trust.allowsAll),
      !rescans && cache.scanResult(on: plugin) != nil || plugin.hasSoundCopies
    else { return nil }
    return plugin
  }

  /// Adds a plugin; its result is at the same place in those of ``finish()``.
  public func add(_ plugin: PreparedPlugin) {
    if rescans { cache?.forget(plugin) }
    let known = cache?.scanResult(on: plugin)
    plugins.append(plugin)
    results.append(known)
    if known == nil { waiting.append(plugins.count - 1) }
    advance(milliseconds: 0)
  }

  /// Waits for the answers.
  ///
  /// - Returns: for each plugin its encoded description, or a problem of stage `scanned`, `loaded`
  ///   or `registered`.
  public func finish() -> [Result<[UInt8], PluginError>] {
    while !waiting.isEmpty || !running.isEmpty { advance(milliseconds: 50) }
    let found = zip(plugins, results).map { plugin, result -> Result<[UInt8], PluginError> in
      defer { plugin.discardTemporaryCopies() }
      cache?.remember(plugin)
      switch result {
      case .answer(let bytes)?: return .success(bytes)
      case .quarantine(let cause)?, .failure(let cause)?:
        let stage: PluginError.Stage =
          cause.rule == .pluginRegistration
          ? .registered : Rule.scanRules.contains(cause.rule) ? .scanned : .loaded
        return .failure(PluginError(stage, path: plugin.path, cause))
      case nil: return .failure(PluginError(.scanned, path: plugin.path, .scanOutput("nothing")))
      }
    }
    cache?.save()
    return found
  }

  /// Starts scans and takes their results; waits until one of them has sent something, at most for
  /// some time.
  private func advance(milliseconds: Int32) {
    while running.count < Self.width, let index = waiting.popFirst() {
      do throws(SystemError) {
        running.append((index, try PluginScan(of: plugins[index], process, form: form)))
      } catch {
        // There may be room for one process, and not for several.
        guard running.isEmpty else {
          waiting.insert(index, at: waiting.startIndex)
          break
        }
        results[index] = .failure(PluginScan.notStarted(process.executable, error.code))
      }
    }
    guard !running.isEmpty else { return }
    var descriptors = running.flatMap(\.scan.descriptors)
    poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    running.removeAll { index, scan in
      guard let result = scan.advance() else { return false }
      if case .quarantine(let cause) = result, cause.rule == .scanTimeout,
        late.insert(index).inserted
      {
        waiting.append(index)
      } else {
        results[index] = result
        cache?.store(result, on: plugins[index])
      }
      return true
    }
  }
}

/// The program that loads a plugin in a process of its own, and the limits of that process.
public struct ScanProcess: Sendable {
  public var executable: String
  /// The program's arguments, without its own name.
  public var arguments: [String]
  public var environment: [String: String]
  /// The longest time that a scan may take, in wall-clock time.
  public var time = Duration.seconds(5)
  /// How many bytes it may write to standard output and standard error together.
  public var output = 4 << 20
  /// How many bytes of writable memory it may have, whether or not it uses them; `nil` for no
  /// limit.
  ///
  /// A plugin that takes three quarters of it is refused: the host has no such limit.
  public var data: UInt64? = 1 << 30

  /// Describes a process; a ``PluginScanner`` starts it.
  public init(executable: String, arguments: [String], environment: [String: String]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }
}
