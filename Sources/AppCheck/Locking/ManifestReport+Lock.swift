internal import Manifest
package import PluginHost
internal import Support

extension ManifestReport {
  /// The lock of the app as it is now.
  ///
  /// The report must have been made with ``AppOptions/LockUse/write``.
  ///
  /// - Throws: the app's problems, or the text that a lock can't contain.
  package func lock() throws(LockError) -> AppLock {
    guard let manifest, !hasErrors else { throw .app(.problems(self)) }
    var files: [String: SHA256] = [:]
    for file in sources.files {
      guard let path = FilePath.relative(file.path, to: FilePath.folder(of: path)) else {
        throw .refused(
          path: path,
          Rejection(
            .lockBadPath, "'\(file.path)' is outside the folder of the manifest"))
      }
      files[path] = SHA256(file.original)
    }
    var lock = AppLock(
      app: manifest.name?.value ?? "app", version: manifest.version?.value,
      manifest: FilePath.name(of: path), files: files)
    for (name, plugin) in zip(plugins.names, manifest.plugins) {
      // A plugin without a file is linked into the program, or is a mock.
      guard let name, let member = plugins.members[name], let prepared = member.prepared,
        let digests = prepared.digests
      else { continue }
      lock.plugins[name] = AppLock.Plugin(
        version: member.info.version,
        builds: [.current: digests],
        isFolder: member.folder != nil, path: plugin.reference.path(from: path))
    }
    if let text = lock.firstBadText {
      throw .refused(
        path: self.path, Rejection(.lockBadText, "a lock can't hold '\(Wording.printable(text))'"))
    }
    return lock
  }
}

extension Manifest.Plugin.Reference {
  /// The path as a lock has it; `nil` if the manifest at `path` names the plugin, if the path leads
  /// out of the manifest's folder, or if a lock can't contain it.
  func path(from path: String) -> String? {
    guard case .path(let file, _) = self,
      let place = FilePath.relative(file, to: FilePath.folder(of: path)), AppLock.isPath(place)
    else { return nil }
    return place
  }
}

extension AppLock {
  /// Writes the lock of an app as it is now, replacing an existing one.
  ///
  /// ``AppOptions/isLocked`` is ignored. When adding, the existing lock is kept and added to.
  ///
  /// - Returns: the lock, whether the file changed, and how many builds for other machines were in
  ///   the former file and are not in the new one.
  /// - Throws: why the app can't be locked, or the lock not written.
  package static func write(
    ofManifest path: String, options: AppOptions, adding isAdding: Bool = false
  ) throws(LockError) -> (lock: AppLock, isChanged: Bool, leftOut: Int) {
    let target = AppLock.path(ofManifest: path)
    let former = try LockFile.given(target)
    var leftOut = 0
    let lock: AppLock
    // A lock with problems can be replaced, but not added to.
    if let former, isAdding {
      let other = try LockFile.read(target, former)
      try other.requireManifest(FilePath.name(of: path), at: target)
      // First without running any code: a plugin that was modified is not scanned.
      let found = try unscanned(ofManifest: path, options: options, versionsOf: other).lock
      _ = try other.adding(found, at: target)
      lock = try other.adding(try current(ofManifest: path, options: options), at: target)
    } else {
      lock = try current(ofManifest: path, options: options)
      if let former, let other = LockReader.read(former).lock {
        try other.requireManifest(lock.manifest, at: target)
        leftOut = other.plugins.values.reduce(0) { $0 + $1.builds.keys.count { $0 != .current } }
      }
    }
    let bytes = Array(lock.text.utf8)
    guard bytes != former else { return (lock, false, 0) }
    do throws(Rejection) {
      try LockFile.write(bytes, to: target, over: "appcore-lock ")
    } catch {
      throw .refused(path: target, error)
    }
    return (lock, true, leftOut)
  }

  /// Compares the lock of a manifest with the app as it is now.
  ///
  /// - Throws: the differences, or why they can't be determined.
  package static func check(
    ofManifest path: String, options: AppOptions
  ) throws(LockError) -> AppLock {
    let target = AppLock.path(ofManifest: path)
    guard let bytes = try LockFile.given(target) else {
      throw .refused(path: target, Rejection(.lockMissing, "there is no lock"))
    }
    let lock = try LockFile.read(target, bytes)
    try lock.requireManifest(FilePath.name(of: path), at: target)
    // First without running any code: a plugin that was modified is not scanned.
    let found = try compared(lock, ofManifest: path, options: options, at: target)
    let differences = lock.differences(from: found)
    guard differences.isEmpty else { throw .differs(path: target, differences) }
    return lock
  }

  private func adding(_ other: AppLock, at target: String) throws(LockError) -> AppLock {
    let (sum, contradictions) = adding(other)
    guard contradictions.isEmpty else { throw .differs(path: target, contradictions) }
    return sum
  }

  /// Makes sure that this is the lock of the manifest with this file name.
  func requireManifest(_ path: String, at target: String) throws(LockError) {
    guard manifest != path else { return }
    throw .refused(
      path: target,
      Rejection(
        .lockOfOther, "it is the lock of '\(manifest)', which is another manifest",
        remedy: "keep each app in a folder of its own, or remove the lock"))
  }

  /// The lock of an app as it is now; plugins are scanned only if all are as they were locked.
  private static func compared(
    _ lock: AppLock, ofManifest path: String, options: AppOptions, at target: String
  ) throws(LockError) -> AppLock {
    var options = options
    let (found, isWhole) = try unscanned(ofManifest: path, options: options, versionsOf: lock)
    let differences = lock.differences(from: found)
    // A plugin that can't be read is missing from the result, but not from the manifest.
    guard isWhole ? differences.isEmpty : differences.allSatisfy({ $0.rule == .lockPluginGone })
    else { throw .differs(path: target, differences) }
    // A plugin that is replaced from here on is refused.
    options.lockEnforcement = LockEnforcement(lock, in: FilePath.folder(of: path))
    return try current(ofManifest: path, options: options)
  }

  /// The lock of an app as it is now, without running any code of its plugins.
  ///
  /// Only a plugin's code knows its version, so the versions are taken from another lock.
  private static func unscanned(
    ofManifest path: String, options: AppOptions, versionsOf lock: AppLock
  ) throws(LockError) -> (lock: AppLock, isWhole: Bool) {
    let report = try report(ofManifest: path, options: options, leavesOutPlugins: true)
    var found = try report.lock()
    guard let manifest = report.manifest else { return (found, false) }
    let (plugins, isWhole) = PluginSet.builds(of: manifest, path: path, options: options)
    for (name, var plugin) in plugins {
      plugin.version = lock.plugins[name]?.version ?? plugin.version
      found.plugins[name] = plugin
    }
    return (found, isWhole)
  }

  /// The lock of an app as it is now, without writing it.
  package static func current(
    ofManifest path: String, options: AppOptions
  ) throws(LockError) -> AppLock {
    try report(ofManifest: path, options: options, leavesOutPlugins: false).lock()
  }

  private static func report(
    ofManifest path: String, options: AppOptions, leavesOutPlugins: Bool
  ) throws(LockError) -> ManifestReport {
    var options = options
    options.lockUse = .write
    options.allowsUnsetVariables = true
    options.leavesOutPlugins = leavesOutPlugins
    do throws(AppLoadError) { return try ManifestReport(path, options: options) } catch {
      throw .app(error)
    }
  }

  /// Signs the file of a manifest's lock.
  ///
  /// `key` is the path of the key's file.
  ///
  /// - Returns: the path of the signature.
  /// - Throws: why there is no lock, or why it can't be signed.
  package static func sign(
    ofManifest path: String, key: String, environment: [String: String]
  ) throws(LockError) -> String {
    let target = AppLock.path(ofManifest: path)
    guard let bytes = try LockFile.given(target) else {
      throw .refused(path: target, Rejection(.lockMissing, "there is no lock to sign"))
    }
    let lock = try LockFile.read(target, bytes)
    try lock.requireManifest(FilePath.name(of: path), at: target)
    let file = target + SignatureCheck.suffix
    do throws(Rejection) {
      let signature = try SignatureCheck.sign(bytes, key: key, environment: environment)
      try LockFile.write(
        signature, to: file, over: "-----BEGIN SSH SIGNATURE-----")
    } catch {
      throw .refused(path: file, error)
    }
    return file
  }
}
