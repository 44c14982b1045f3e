internal import Diagnostics
internal import Lock
internal import PluginHost

/// Compares one plugin with the lock that the app is held to, before any of its code runs.
struct PluginLock {
  private let lock: HeldLock?
  private let isNamed: Bool
  /// Whether plugins are to have seals.
  let isSealing: Bool

  /// - Parameters:
  ///   - options: what the app is loaded with.
  ///   - isBuilt: whether the plugin is given by a folder of sources.
  ///   - isNamed: whether the manifest has its name, and not only its path.
  init(_ options: AppOptions, isBuilt: Bool, isNamed: Bool) {
    self.isNamed = isNamed
    lock = options.heldLock.flatMap { isBuilt && !$0.holdsFolders ? nil : $0 }
    isSealing = lock != nil || options.lockUse == .write
  }

  /// Whether the plugin is held to a lock.
  var isHolding: Bool { lock != nil }

  /// Compares a plugin that was known.
  ///
  /// - Returns: what to say of it, where the lock does not have it.
  /// - Throws: why it must not be loaded.
  func check(_ plugin: PreparedPlugin) throws(PluginError) -> Finding? {
    guard let seal = plugin.seal else {
      guard isHolding else { return nil }
      throw PluginError(.validated, path: plugin.path, .changedSinceChecked)
    }
    return try check(plugin.name, plugin.path, seal, plugin.libraryNames)
  }

  /// Compares a plugin that was read.
  func check(_ plugin: ValidatedPlugin, _ seal: PluginSeal) throws(PluginError) -> Finding? {
    try check(plugin.name, plugin.file.path, seal, plugin.libraryNames)
  }

  private func check(
    _ name: String, _ path: String, _ seal: PluginSeal, _ libraries: [String]
  ) throws(PluginError) -> Finding? {
    switch lock?.answer(on: name, seal, libraries: libraries) {
    case .same, nil: return nil
    case .unlocked(let finding): return finding
    case .refused(let cause):
      throw PluginError(.validated, path: path, isNamed ? cause : cause.ofFile)
    }
  }
}

extension PluginMember {
  /// Takes what its file was when it was read.
  mutating func take(_ plugin: PreparedPlugin) {
    digest = plugin.digests
    seal = plugin.seal
    libraryNames = plugin.libraryNames
  }
}

extension Rejection {
  /// A plugin that is not looked at because of another one.
  static var heldBack: Rejection {
    Rejection(.pluginModified, "it is not scanned, since the lock refuses another plugin")
  }
}
