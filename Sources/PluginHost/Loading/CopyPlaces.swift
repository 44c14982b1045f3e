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

  /// A plugin with its copies and those of the libraries it brings along; missing ones are created.
  ///
  /// They are named by `digests`, if given.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files.
  func prepare(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?
  ) throws(Rejection) -> PreparedPlugin {
    var failure: Rejection?
    if let folder = cacheFolder() {
      do throws(SystemError) {
        let prepared = try folder.prepare(plugin, digests)
        if access(prepared.file.copy, F_OK) == 0 { return prepared }
        // Another process has removed it just now, to make room for its own copies.
        return try folder.prepare(plugin, digests)
      } catch {
        failure = .notCopied(folder: folder.folder.path, error: error.code)
      }
    }
    for parent in temporaryParents {
      do throws(SystemError) {
        let folder = try PrivateFolder.temporary(in: parent, prefix: "appcore-plugins-")
        do throws(SystemError) {
          if folder.runsCode {
            return try CopyFolder(folder: folder, isTemporary: true).prepare(plugin, digests)
          }
          PrivateFolder.remove(folder.path)
          failure = failure ?? .notExecutable(folder: parent)
        } catch {
          PrivateFolder.remove(folder.path)
          throw error
        }
      } catch {
        failure = failure ?? .notCopied(folder: parent, error: error.code)
      }
    }
    // A copy in memory is in no folder, so the loader would not find it by a search.
    if plugin.dependencies.items.allSatisfy(\.isKnownByName),
      let prepared = MemoryCopies.shared.prepare(plugin, digests)
    {
      return prepared
    }
    throw failure ?? .notCopied(folder: "memory", error: ENOMEM)
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

extension Rejection {
  fileprivate static func notCopied(folder: String, error: Int32) -> Rejection {
    Rejection(
      .pluginNotCopied, "no private copy can be made in '\(folder)': \(errorText(error))")
  }

  static func notExecutable(folder: String) -> Rejection {
    Rejection(
      .pluginNotExecutable, "the system runs no code from '\(folder)', where its private copy is")
  }
}
