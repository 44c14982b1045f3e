package import Diagnostics
package import PluginHost
internal import Support

/// The lock that an app is held to while its plugins are loaded.
///
/// Without ``isStrict`` what the lock has must be as it was, and what it does not have may be loaded;
/// strictly, only what it has.
package struct HeldLock: Sendable {
  /// What a lock says of a plugin that is about to be scanned or loaded.
  package enum Answer: Sendable {
    /// It is what was locked.
    case same
    /// The lock does not have it, and need not.
    case unlocked(Finding)
    /// It must not be loaded.
    case refused(Rejection)
  }

  package let lock: AppLock
  /// Whether the app is to run locked, with `--locked` or by the policy.
  package let isStrict: Bool
  /// What the builds of this process are for.
  private let target: AppLock.Target

  package init(_ lock: AppLock, isStrict: Bool, target: AppLock.Target = .current) {
    self.lock = lock
    self.isStrict = isStrict
    self.target = target
  }

  /// Whether plugins that are given as folders of sources are compared, too.
  package var holdsFolders: Bool { isStrict }

  /// Compares a plugin with the lock.
  ///
  /// - Parameters:
  ///   - name: the plugin.
  ///   - seal: what its file and its libraries have.
  ///   - libraries: the names of those, in the seal's order.
  /// - Returns: whether it may be loaded.
  package func answer(
    on name: String, _ seal: PluginSeal, libraries: [String]
  ) -> Answer {
    guard let plugin = lock.plugins[name] else {
      return isStrict ? .refused(.notLocked(name)) : .unlocked(.unlocked(name))
    }
    guard let build = plugin.builds[target] else {
      let others = plugin.builds.keys.sorted()
      return isStrict
        ? .refused(.notLockedHere(name, target, others)) : .unlocked(.unlockedHere(name, target))
    }
    let found = AppLock.Build(seal, libraries: libraries)
    return found == build ? .same : .refused(.modified(since: build, found))
  }
}

extension AppLock.Target {
  /// What plugins for this process are built for.
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
  /// The build that has a seal.
  package init(_ seal: PluginSeal, libraries names: [String]) {
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
  /// A mock stands in for a plugin of an app that is to run locked.
  package static var mockNotLocked: Rejection {
    Rejection(
      .pluginNotLocked,
      "a mock is not in a lock, and '--locked' or the machine's policy allows only what is locked",
      remedy: "run it without '--mock'; or, where no policy asks for a lock, without '--locked'")
  }

  static func notLocked(_ name: String) -> Rejection {
    Rejection(
      .pluginNotLocked,
      "the lock does not have it, and '--locked' or the machine's policy allows only what is locked"
    )
  }

  /// A plugin that is given by its path may be there in the place of a locked one.
  package var ofFile: Rejection {
    guard rule == .pluginNotLocked else { return self }
    return Rejection(
      rule, message, remedy: "get the file that was locked; `appcore lock` accepts another one")
  }

  /// A folder of sources is where a file was locked.
  package static func folderForFile(_ name: String) -> Rejection {
    Rejection(
      .pluginModified,
      "modified since it was locked: '\(name)' was a file, and is a folder of sources; "
        + "'appcore lock' accepts it")
  }

  /// What was built of a folder is not what its sources would make.
  package static var sourcesNotBuilt: Rejection {
    Rejection(
      .pluginModified,
      "its sources are not built, or have changed since; nothing is compiled where "
        + "'--locked' or the machine's policy allows only what is locked",
      remedy: "get the sources that were locked, and build them with `appcore build`")
  }

  /// A plugin that the lock does not have may be there in the place of one that it has.
  package static func inPlace(of names: [String]) -> Rejection {
    let list = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return Rejection(
      .pluginModified,
      "the lock does not have this plugin, and has \(list), of which there is no file: it may have "
        + "been replaced; 'appcore lock' accepts it")
  }

  static func notLockedHere(
    _ name: String, _ target: AppLock.Target, _ others: [AppLock.Target]
  ) -> Rejection {
    Rejection(
      .pluginNotLockedHere,
      "the lock does not have it for this machine, and '--locked' or the machine's policy allows "
        + "only what is locked",
      details: ["here:   \(target)"]
        + (others.isEmpty ? ["locked: for none"] : others.map { "locked: \($0)" }))
  }

  static func modified(since locked: AppLock.Build, _ found: AppLock.Build) -> Rejection {
    guard locked.digest == found.digest else {
      return Rejection(
        .pluginModified,
        "modified since it was locked: was \(locked.digest.short), is \(found.digest.short); "
          + "'appcore lock' accepts it",
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
        + "'appcore lock' accepts it",
      details: details)
  }
}
