internal import Glibc
internal import Support

/// The results of scans, kept in one file from one start to the next.
///
/// There are two tables. The *results* are stored by the content of the plugin and of the libraries
/// that it brings along. The *known* files are stored by device and inode: if such a file, and the
/// libraries that it brought along, have the same sizes and times as before, none of them needs to
/// be read; that costs a `stat` each. A file is remembered only if it was older than a tick of its
/// file system's clock when it was read (see ``FileClock``): a build within that tick would go
/// unnoticed.
///
/// A cache is for one SDK of the host and one format of the answers. If its file can't be read, the
/// cache is empty; if it can't be written, the file stays as it is: both only cost another scan.
public final class ScanCache: Sendable {
  /// How many results are kept, and as many known files; the oldest are removed first.
  static let kept = 1024

  private let path: String
  private let folder: PrivateFolder
  private let name: String
  private let state: Locked<ScanTables>

  /// Opens the cache in `appcore/scans` under `XDG_CACHE_HOME`, else under `~/.cache`; `nil` if
  /// that can't be a folder of this user alone.
  ///
  /// - Parameters:
  ///   - environment: the process's variables.
  ///   - form: the version of the format of the answers.
  ///   - sdk: the host's SDK.
  public init?(environment: [String: String], form: String, sdk: HostSDK = .current) {
    guard let base = PrivateFolder.cache(environment),
      let folder = PrivateFolder(base + "/scans")
    else { return nil }
    self.folder = folder
    var key = "\(form)\t\(sdk.contract.symbol)\t\(sdk.digest)"
    name = key.withUTF8 { "\(ContentDigest(UnsafeRawBufferPointer($0)))" }
    path = folder.path(of: name)
    state = Locked(ScanTables(path))
  }

  /// The plugin in a file, if the file was read before and has not changed.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - trust: whose files are accepted; with ``FileTrust/guarded``, a file that others can change
  ///     is not known.
  /// - Returns: the plugin as it was remembered; `nil` if the file has to be read.
  /// - Complexity: one `stat` for the file, for each library that the plugin needs besides the
  ///   host's, and for each path at which one would be found first.
  public func known(_ path: String, trust: FileTrust) -> PreparedPlugin? {
    guard let identity = PluginFile.identity(of: path),
      var plugin = state.withLock({ $0.known(identity, path: path) }),
      plugin.isGuarded || trust.allowsAll, plugin.hasSameLibraries
    else { return nil }
    plugin.trust = trust
    return plugin
  }

  /// Remembers a file, if its identity tells it from later versions and its copies are kept.
  func remember(_ plugin: PreparedPlugin) {
    guard plugin.isSettled, plugin.isKept else { return }
    state.withLock { $0.remember(plugin) }
  }

  func scanResult(on plugin: PreparedPlugin) -> ScanResult? {
    state.withLock { $0.scanResult(plugin.contentKey) }
  }

  func store(_ scanResult: ScanResult, on plugin: PreparedPlugin) {
    state.withLock { $0.store(scanResult, plugin.contentKey) }
  }

  /// The result of a plugin, whose copies need not exist, and the time of the scan, in seconds
  /// since 1970.
  func scanResult(on plugin: ValidatedPlugin) -> (ScanResult, time: Int64)? {
    let libraries = plugin.dependencies.items.map {
      ($0.file.digest.value, $0.file.identity.size)
    }
    let key = contentKey(
      plugin.file.digest.value, plugin.file.identity.size, libraries: libraries)
    // That of a sealed plugin is found by its seal, which takes longer.
    let sealed = { ScanTables.Key(PluginDigests(plugin)) }
    return state.withLock { tables in
      for key in [{ key }, sealed] {
        let key = key()
        if let scanResult = tables.scanResult(key), let time = tables.scanResultTime(key) {
          return (scanResult, time)
        }
      }
      return nil
    }
  }

  /// Removes the result of a plugin.
  public func forget(_ plugin: PreparedPlugin) {
    state.withLock { $0.forget(plugin.contentKey) }
  }

  /// Writes the file if something has changed, with what other processes have written meanwhile.
  public func save() {
    state.withLock { tables in
      guard tables.isChanged else { return }
      let bytes = tables.bytes(merging: ScanTables(path), keeping: Self.kept)
      bytes.withUnsafeBytes { bytes in
        _ = try? folder.write(bytes, to: name, mode: 0o600)
      }
      tables.isChanged = false
      folder.removeOldest(keeping: Self.keptFiles)
    }
  }

  /// How many hosts' caches are kept: each SDK has its own.
  private static let keptFiles = 16
}

extension PreparedPlugin {
  /// A key for the content that a scan runs: the plugin's bytes and those of the libraries it
  /// brings.
  var contentKey: ScanTables.Key {
    if let seal { return ScanTables.Key(seal) }
    return PluginHost.contentKey(
      digest, identity.size, libraries: libraries.map { ($0.digest, $0.identity.size) })
  }
}

private func contentKey(
  _ digest: UInt64, _ size: UInt64, libraries: [(digest: UInt64, size: UInt64)]
) -> ScanTables.Key {
  guard !libraries.isEmpty else {
    return ScanTables.Key(digest ^ size &* 0x9E37_79B9_7F4A_7C15)
  }
  var words = [digest, size]
  for library in libraries { words += [library.digest, library.size] }
  return ScanTables.Key(words.withUnsafeBytes { ContentDigest($0).value })
}
