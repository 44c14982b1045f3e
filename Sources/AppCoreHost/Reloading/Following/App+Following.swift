internal import AppCheck
internal import AppCore
internal import Glibc
internal import Support

/// A reload that was caused by a changed file.
public struct FileChange: Sendable {
  /// The name of the plugin that was reloaded; `nil` for the manifest.
  public let plugin: String?
  /// The outcome of the reload.
  public let outcome: ReloadOutcome
}

extension App {
  /// Reloads plugins and the manifest whenever their files change.
  ///
  /// The files of a plugin are its library, or the sources if the manifest names a folder; those of
  /// the manifest include the files that it includes. The reload begins when every changed file has
  /// been closed and nothing has happened for 80 ms, so that no half-written file is loaded.
  /// Plugins that are linked into the program have no files. Changes that other machines make in a
  /// network file system are not seen.
  ///
  /// - Parameter didReload: called with the outcome of each reload; `nil` stops following.
  /// - Throws: ``FollowingError`` if the files can't be followed.
  public func followFiles(
    _ didReload: (@Sendable (FileChange) async -> Void)?
  ) throws(FollowingError) {
    fileChangeObserver = didReload
    try follow()
  }

  private func follow() throws(FollowingError) {
    guard fileChangeObserver != nil else {
      follower = nil
      return
    }
    do throws(FollowError) {
      // The previous follower is released only when the new one has begun.
      follower = try FileFollower(followedPaths) { [weak self] subject in
        Task { await self?.take(changeOf: subject) }
      }
    } catch {
      throw FollowingError(description: "\(error)")
    }
  }

  private func take(changeOf subject: String) async {
    guard let didReload = fileChangeObserver else { return }
    guard subject.isEmpty else {
      return await didReload(
        FileChange(plugin: subject, outcome: reload(subject, isAsked: false)))
    }
    await didReload(FileChange(plugin: nil, outcome: reloadManifest(isAsked: false)))
  }

  /// Follows the app's current files, which may be others after the manifest was read.
  ///
  /// A change between reading a file and following it would be missed, so the manifest is then read
  /// once more.
  func followAgain() {
    guard fileChangeObserver != nil else { return }
    let known = Set(follower?.paths ?? [])
    let paths = Set(followedPaths)
    guard paths != known else { return }
    do throws(FollowingError) {
      try follow()
    } catch {
      // The previous files are still followed; trying again would fail again.
      return
    }
    Task { await self.take(changeOf: "") }
  }

  private var followedPaths: [FollowedPath] {
    let plugins = current.plugins.compactMap { plugin -> FollowedPath? in
      guard let path = plugin.member.folder ?? plugin.member.path else { return nil }
      return FollowedPath(
        subject: plugin.name, path: path, isFolder: plugin.member.folder != nil)
    }
    let files = Set(current.report.filePaths + refusedSources)
    return plugins
      + files.sorted().map { path in
        // The path of a rejected plugin may be its folder of sources.
        FollowedPath(subject: "", path: path, isFolder: FilePath.isFolder(path))
      }
  }
}

/// An error that says why files can't be followed.
public struct FollowingError: Error, CustomStringConvertible {
  public let description: String
}
