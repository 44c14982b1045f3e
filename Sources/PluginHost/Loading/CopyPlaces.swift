internal import Glibc
internal import Support

/// The places for private copies, the best one first.
///
/// 1. The user's cache: `appcore/plugins` under `XDG_CACHE_HOME`, else under `~/.cache`;
/// 2. a new folder in `XDG_RUNTIME_DIR` or in the folder for temporary files, which is removed once
///    the copies are loaded;
/// 3. memory.
///
/// If one is missing, full, or mounted `noexec`, the next one is used: a plugin is rejected only if
/// none is left.
final class CopyPlaces: Sendable {
  private let environment: [String: String]
  private let cache = Locked<CopyFolder?>(nil)

  init(environment: [String: String]) { self.environment = environment }

  /// The copies of a plugin and of the libraries it brings along; missing ones are created.
  ///
  /// They are named by the seal, if there is one.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files.
  func copies(of plugin: ValidatedPlugin, _ seal: PluginDigests?) throws(Rejection) -> PluginCopies
  {
    var failure: Rejection?
    if let folder = cacheFolder() {
      do throws(Rejection) {
        let copies = try folder.copies(of: plugin, seal)
        if access(copies.plugin.path, F_OK) == 0 { return copies }
        // Another process has removed it just now, to make room for its own copies.
        return try folder.copies(of: plugin, seal)
      } catch {
        failure = error
      }
    }
    for parent in temporaryParents {
      guard let folder = PrivateFolder.temporary(in: parent, prefix: "appcore-plugins-") else {
        failure = failure ?? Rejection.notCopied(folder: parent, error: errno)
        continue
      }
      do throws(Rejection) {
        guard folder.runsCode else {
          throw Rejection.notExecutable(folder: parent)
        }
        return try CopyFolder(folder: folder, isTemporary: true).copies(of: plugin, seal)
      } catch {
        PrivateFolder.remove(folder.path)
        failure = failure ?? error
      }
    }
    // A copy in memory is in no folder, so the loader would not find it by a search.
    if plugin.dependencies.items.allSatisfy(\.isKnownByName),
      let copies = MemoryCopies.shared.copies(of: plugin)
    {
      return copies
    }
    throw failure ?? Rejection.notCopied(folder: "memory", error: ENOMEM)
  }

  private func cacheFolder() -> CopyFolder? {
    cache.withLock { cache in
      if let cache { return cache }
      guard let base = PrivateFolder.cache(environment),
        let folder = PrivateFolder(base + "/plugins"), folder.runsCode
      else { return nil }
      cache = CopyFolder(folder: folder, isTemporary: false)
      return cache
    }
  }

  private var temporaryParents: [String] {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
    }
    return [absolute("XDG_RUNTIME_DIR"), absolute("TMPDIR") ?? "/tmp"].compactMap { $0 }
  }
}
