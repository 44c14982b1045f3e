internal import Glibc
internal import Support

/// What scans have found, kept in one file from one start to the next.
///
/// Two tables. The *results*, by content: of the plugin and of what it brings along. And the files
/// that are *known*, by device and inode: where such a file has the size and the times that it had,
/// and so have the libraries that it brought along, it is what it was, for the cost of a `stat`, and
/// need not be read. A file is known so only if it was older than a tick of its file system's clock
/// when it was read (see ``FileClock``): a build within that tick would go unnoticed.
///
/// All of it is for one host's SDK and one form of answer. A file that can't be read is an empty
/// one, and one that can't be written is left as it is: the cost is another scan.
public final class ScanCache: Sendable {
  /// How many results are kept, and as many known files; the oldest go first.
  static let kept = 1024

  private let path: String
  private let folder: PrivateFolder
  private let name: String
  private let state: Locked<ScanTables>

  /// Opens the cache in `appcore/scans` under `XDG_CACHE_HOME`, else under `~/.cache`; `nil` when
  /// there is no folder that is this user's alone.
  ///
  /// - Parameters:
  ///   - environment: the process's variables.
  ///   - form: the form of the answers.
  ///   - sdk: the host's.
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

  /// The plugin in a file, if this is the file that was read before.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - trust: whose files are taken; one that others can change is not known to who minds.
  /// - Returns: what was remembered of it; `nil` where the file has to be read.
  /// - Complexity: one `stat` for the file, for each library that the plugin needs besides the host's,
  ///   and for each path at which one would be found first.
  public func known(_ path: String, trust: FileTrust) -> PreparedPlugin? {
    guard let identity = PluginFile.identity(of: path),
      var plugin = state.withLock({ $0.known(identity, path: path) }),
      plugin.isGuarded || trust.allowsAll, plugin.hasSameLibraries
    else { return nil }
    plugin.trust = trust
    return plugin
  }

  /// Remembers a file, if its state can be told from later ones.
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

  /// The result of a plugin whose copies need not exist, and when it was reached, in seconds since
  /// 1970.
  func scanResult(on plugin: ValidatedPlugin) -> (ScanResult, time: Int64)? {
    let libraries = plugin.dependencies.items.map {
      ($0.file.digest.value, $0.file.identity.size)
    }
    let key = contentKey(
      plugin.file.digest.value, plugin.file.identity.size, libraries: libraries)
    return state.withLock { tables in
      guard let scanResult = tables.scanResult(key), let time = tables.scanResultTime(key) else {
        return nil
      }
      return (scanResult, time)
    }
  }

  /// Forgets what was found of a plugin.
  public func forget(_ plugin: PreparedPlugin) {
    state.withLock { $0.forget(plugin.contentKey) }
  }

  /// Writes what is new, together with what other processes have written meanwhile.
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
  /// A digest of all bytes that a scan runs: the plugin's and those of what it brings along.
  var contentKey: UInt64 {
    PluginHost.contentKey(
      digest, identity.size, libraries: libraries.map { ($0.digest, $0.identity.size) })
  }
}

private func contentKey(
  _ digest: UInt64, _ size: UInt64, libraries: [(digest: UInt64, size: UInt64)]
) -> UInt64 {
  guard !libraries.isEmpty else { return digest ^ size &* 0x9E37_79B9_7F4A_7C15 }
  var words = [digest, size]
  for library in libraries { words += [library.digest, library.size] }
  return words.withUnsafeBytes { ContentDigest($0).value }
}
