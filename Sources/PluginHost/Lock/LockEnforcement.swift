package import Support

/// Who requires that only locked plugins are loaded.
package enum LockRequirement: Sendable {
  /// The option `--locked`.
  case option
  /// The machine's policy, which requires a signature, too.
  case policy
}

/// The lock that an app's plugins are compared with before they are loaded.
///
/// A plugin that is in the lock must be unchanged. One that is not in it may be loaded, unless
/// there is a ``requirement``.
package struct LockEnforcement: Sendable {
  /// The result for a plugin that is about to be scanned or loaded.
  package enum Answer: Sendable {
    /// It is unchanged since it was locked.
    case same
    /// It is not in the lock, and need not be.
    case unlocked(Finding)
    /// It must not be loaded.
    case refused(Rejection)
  }

  package let lock: AppLock
  /// Who requires that only locked plugins are loaded; `nil` if nobody does.
  package let requirement: LockRequirement?
  /// The architecture and contract of plugins for this process.
  package let target: AppLock.Target

  package init(
    _ lock: AppLock, requirement: LockRequirement? = nil, target: AppLock.Target = .current
  ) {
    self.lock = lock
    self.requirement = requirement
    self.target = target
  }

  /// Whether plugins that are built from folders of sources are compared, too.
  package var holdsFolders: Bool { requirement != nil }

  /// Compares a plugin with the lock.
  ///
  /// - Parameters:
  ///   - name: the plugin's name.
  ///   - seal: the digests of its file and its libraries.
  ///   - libraries: the names of the libraries, in the seal's order.
  /// - Returns: whether it may be loaded.
  package func answer(
    on name: String, _ seal: PluginDigests, libraries: [String]
  ) -> Answer {
    guard let plugin = lock.plugins[name] else {
      return requirement.map { .refused(.notLocked($0)) } ?? .unlocked(.unlocked(name))
    }
    guard let build = plugin.builds[target] else {
      let others = plugin.builds.keys.sorted()
      return requirement.map { .refused(.notLockedHere($0, target, others)) }
        ?? .unlocked(.unlockedHere(name, target))
    }
    let found = AppLock.Build(seal, libraries: libraries)
    return found == build ? .same : .refused(.modified(since: build, found, requirement))
  }
}

extension LockRequirement {
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

extension AppLock.Build {
  /// Creates the build with these digests.
  package init(_ seal: PluginDigests, libraries names: [String]) {
    self.init(
      digest: seal.file,
      libraries: Dictionary(zip(names, seal.libraries), uniquingKeysWith: { first, _ in first }))
  }
}

extension Finding {
  static func unlocked(_ name: String) -> Finding {
    Finding(
      .pluginUnlocked,
      "the lock does not have the plugin '\(name)'; 'appcore lock --add' adds it")
  }

  static func unlockedHere(_ name: String, _ target: AppLock.Target) -> Finding {
    Finding(
      .pluginUnlocked,
      "the lock does not have the plugin '\(name)' for \(target); 'appcore lock --add' adds it")
  }
}

extension Rejection {
  /// A mock replaces a plugin of an app that must be locked.
  package static func mockNotLocked(_ requirement: LockRequirement) -> Rejection {
    Rejection(
      .pluginNotLocked, "\(requirement.words), and a mock is not in a lock",
      remedy: requirement == .option
        ? "use '--mock' or '--locked', not both" : "run it without '--mock'")
  }

  static func notLocked(_ requirement: LockRequirement) -> Rejection {
    Rejection(.pluginNotLocked, "\(requirement.words), and the lock does not have it")
  }

  /// The same for a plugin that is given by its path: it may be in the place of a locked one.
  package var ofFile: Rejection {
    guard rule == .pluginNotLocked else { return self }
    return Rejection(
      rule, message, remedy: "get the file that was locked; `appcore lock` accepts another one")
  }

  /// The plugin was locked as a file, and is a folder of sources now.
  package static func folderForFile(_ name: String, _ requirement: LockRequirement?) -> Rejection {
    Rejection(
      .pluginModified,
      "modified since it was locked: '\(name)' was a file, and is a folder of sources; "
        + requirement.acceptance)
  }

  /// The build of a folder of sources is missing or out of date.
  package static func sourcesNotBuilt(_ requirement: LockRequirement) -> Rejection {
    Rejection(
      .pluginModified,
      "its sources are not built, or have changed since, and nothing is compiled: \(requirement.words)",
      remedy: "get the sources that were locked, and build them with `appcore build`")
  }

  /// The plugin is not in the lock, and may be in the place of one that is.
  package static func inPlace(of names: [String], _ requirement: LockRequirement?) -> Rejection {
    let list = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return Rejection(
      .pluginModified,
      "the lock does not have this plugin, and has \(list), of which there is no file: it may have "
        + "been replaced; \(requirement.acceptance)")
  }

  static func notLockedHere(
    _ requirement: LockRequirement, _ target: AppLock.Target, _ others: [AppLock.Target]
  ) -> Rejection {
    Rejection(
      .pluginNotLockedHere,
      "\(requirement.words), and the lock does not have it for this machine",
      details: ["here:   \(target)"]
        + (others.isEmpty ? ["locked: for none"] : others.map { "locked: \($0)" }))
  }

  static func modified(
    since locked: AppLock.Build, _ found: AppLock.Build, _ requirement: LockRequirement?
  ) -> Rejection {
    guard locked.digest == found.digest else {
      return Rejection(
        .pluginModified,
        "modified since it was locked: was \(locked.digest.short), is \(found.digest.short); "
          + requirement.acceptance,
        details: ["was: \(locked.digest)", "is:  \(found.digest)"])
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
}
