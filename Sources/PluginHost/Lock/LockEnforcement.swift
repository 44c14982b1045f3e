package import Support

/// Who requires that only locked plugins are loaded.
package enum LockRequirement: Sendable {
  case option
  /// The machine's policy, which requires a signature, too.
  case policy

  /// The beginning of a message about what it refuses.
  package var words: String {
    switch self {
    case .option: "'--locked' allows only what is locked"
    case .policy: "the machine's policy allows only what is locked"
    }
  }
}

extension LockRequirement? {
  /// The end of a message about a difference: how to accept it.
  package var acceptance: String {
    self == .policy
      ? "'appcore lock' and then 'appcore sign' accept it" : "'appcore lock' accepts it"
  }
}

/// Decides by an app's lock whether a plugin may be built, scanned and loaded, before any of its
/// code runs.
///
/// A plugin that is in the lock must be unchanged. One that is not in it may be loaded, unless
/// there is a ``requirement``.
package struct LockEnforcement: Sendable {
  package let lock: AppLock
  /// Who requires that only locked plugins are loaded; `nil` if nobody does.
  package let requirement: LockRequirement?
  /// The architecture and contract of plugins for this process.
  package let target: AppLock.Target
  /// The folder of the manifest, from which the lock's paths lead.
  private let folder: String

  package init(
    _ lock: AppLock, in folder: String, requirement: LockRequirement? = nil,
    target: AppLock.Target = .current
  ) {
    self.lock = lock
    self.folder = folder
    self.requirement = requirement
    self.target = target
  }

  /// Whether a plugin is compared; one that is built from a folder of sources changes with each
  /// edit, and is only compared if that is required.
  package func compares(isBuilt: Bool) -> Bool { !isBuilt || requirement != nil }

  /// Checks that a folder of sources is not in the place of a plugin that was locked as a file.
  ///
  /// Its sources may give it any name, so that the lock is asked for its path as well.
  package func checkFolder(at path: String, ofPlugin name: String) throws(Rejection) {
    let place = FilePath.relative(path, to: folder)
    let files = lock.plugins.filter { !$1.isFolder }
    let inPlace = place.flatMap { place in files.filter { $1.path == place }.keys.min() }
    guard let name = files[name] == nil ? inPlace : name else { return }
    throw Rejection(
      .pluginModified,
      "modified since it was locked: '\(name)' was a file, and is a folder of sources; "
        + requirement.acceptance)
  }

  package func checkCompiling() throws(Rejection) {
    guard let requirement else { return }
    throw Rejection(
      .pluginModified,
      "its sources are not built, or have changed since, and nothing is compiled: "
        + requirement.words,
      remedy: "get the sources that were locked, and build them with `appcore build`")
  }

  /// Checks that a plugin may be replaced by a mock.
  package func checkMock() throws(Rejection) {
    guard let requirement else { return }
    throw Rejection(
      .pluginNotLocked, "\(requirement.words), and a mock is not in a lock",
      remedy: requirement == .option
        ? "use '--mock' or '--locked', not both" : "run it without '--mock'")
  }

  /// Compares a plugin with the lock.
  ///
  /// - Returns: a warning if it is not in the lock, and need not be.
  /// - Throws: why it must not be loaded.
  package func check(
    _ name: String, _ found: PluginDigests, isNamed: Bool = true
  ) throws(Rejection) -> DiagnosticMessage? {
    let ofFile = isNamed ? nil : "get the file that was locked; `appcore lock` accepts another one"
    let plugin = lock.plugins[name]
    guard let build = plugin?.builds[target] else {
      guard let requirement else {
        let place = plugin == nil ? "" : " for \(target)"
        return DiagnosticMessage(
          .pluginUnlocked,
          "the lock does not have the plugin '\(name)'\(place); 'appcore lock --add' adds it")
      }
      guard let others = plugin?.builds.keys.sorted() else {
        throw Rejection(
          .pluginNotLocked, "\(requirement.words), and the lock does not have it", remedy: ofFile)
      }
      throw Rejection(
        .pluginNotLockedHere,
        "\(requirement.words), and the lock does not have it for this machine",
        details: ["here:   \(target)"]
          + (others.isEmpty ? ["locked: for none"] : others.map { "locked: \($0)" }))
    }
    guard found != build else { return nil }
    throw modified(since: build, found)
  }

  private func modified(since locked: PluginDigests, _ found: PluginDigests) -> Rejection {
    guard locked.file == found.file else {
      return Rejection(
        .pluginModified,
        "modified since it was locked: was \(locked.file.short), is \(found.file.short); "
          + requirement.acceptance,
        details: ["was: \(locked.file)", "is:  \(found.file)"])
    }
    var details: [String] = []
    var names: [String] = []
    for name in Set(locked.libraries.keys).union(found.libraries.keys).sorted() {
      let (was, now) = (locked.libraries[name], found.libraries[name])
      guard was != now else { continue }
      names.append("'\(name)'")
      details.append("\(name) was: \(was.map { "\($0)" } ?? "not there")")
      details.append("\(name) is:  \(now.map { "\($0)" } ?? "not there")")
    }
    return Rejection(
      .pluginModified,
      "modified since it was locked: its libraries have changed (\(names.joined(separator: ", "))); "
        + requirement.acceptance,
      details: details)
  }

  /// The names of locked plugins that are not among the given ones.
  package func missing(among names: Set<String>) -> [String] {
    lock.plugins.keys.filter { !names.contains($0) }.sorted()
  }

  /// Refuses a plugin that is not in the lock, and that may be in the place of one that is.
  package func replacement(of names: [String]) -> Rejection {
    let list = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return Rejection(
      .pluginModified,
      "the lock does not have this plugin, and has \(list), of which there is no file: it may have "
        + "been replaced; \(requirement.acceptance)")
  }

  /// Refuses a plugin that is not scanned because of another one.
  package static let blocked = Rejection(
    .pluginModified, "it is not scanned, since the lock refuses another plugin")
}

extension AppLock.Target {
  /// The architecture and contract of plugins for this process.
  package static var current: AppLock.Target {
    #if arch(x86_64)
      let architecture = "x86_64"
    #elseif arch(arm64)
      let architecture = "aarch64"
    #endif
    return AppLock.Target(
      architecture: architecture, contract: HostSDK.current.contract.lockName)
  }
}

extension AppLock.Target: CustomStringConvertible {
  /// As messages show it, such as `x86_64, epoch 1, Swift 6.3.1`.
  package var description: String {
    let contract = Contract(lockName: contract).map { "\($0)" } ?? contract
    return "\(architecture), \(contract)"
  }
}
