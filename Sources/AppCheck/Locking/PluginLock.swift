internal import PluginHost
internal import Support

/// Compares one plugin with the app's lock, before any of its code runs.
struct PluginLock {
  private let lock: LockEnforcement?
  private let isNamed: Bool
  /// Whether the plugin needs a seal.
  let isSealing: Bool

  /// - Parameters:
  ///   - options: what the app is loaded with.
  ///   - isBuilt: whether the plugin is built from a folder of sources.
  ///   - isNamed: whether the manifest gives its name, and not its path.
  init(_ options: AppOptions, isBuilt: Bool, isNamed: Bool) {
    self.isNamed = isNamed
    lock = options.lockEnforcement.flatMap { isBuilt && !$0.holdsFolders ? nil : $0 }
    isSealing = lock != nil || options.lockUse == .write
  }

  /// Whether there is a lock to compare the plugin with.
  var isHolding: Bool { lock != nil }

  /// Compares a plugin that the scan cache knows.
  ///
  /// - Returns: a warning, if the plugin is not in the lock.
  /// - Throws: why it must not be loaded.
  func check(_ plugin: PreparedPlugin) throws(PluginError) -> Finding? {
    guard let seal = plugin.seal else {
      guard isHolding else { return nil }
      throw PluginError(.validated, path: plugin.path, .changedSinceChecked)
    }
    return try check(plugin.name, plugin.path, seal, plugin.libraryNames)
  }

  /// Compares a plugin that was just read.
  func check(_ plugin: ValidatedPlugin, _ seal: PluginDigests) throws(PluginError) -> Finding? {
    try check(plugin.name, plugin.file.path, seal, plugin.libraryNames)
  }

  private func check(
    _ name: String, _ path: String, _ seal: PluginDigests, _ libraries: [String]
  ) throws(PluginError) -> Finding? {
    switch lock?.answer(on: name, seal, libraries: libraries) {
    case .same, nil: return nil
    case .unlocked(let finding): return finding
    case .refused(let cause):
      throw PluginError(.validated, path: path, isNamed ? cause : cause.ofFile)
    }
  }
}

extension AppPlugin {
  /// Takes over the digests of the file that was read.
  mutating func take(_ plugin: PreparedPlugin) {
    digest = plugin.digests
    seal = plugin.seal
    libraryNames = plugin.libraryNames
  }
}

extension Rejection {
  /// The plugin is not scanned because of another one.
  static var heldBack: Rejection {
    Rejection(.pluginModified, "it is not scanned, since the lock refuses another plugin")
  }
}
