internal import AppCheck
internal import AppCore
internal import Glibc
internal import Support

/// A file of a running app that has changed, and what came of it.
public struct FileChange: Sendable {
  /// The plugin's name; `nil` for the manifest.
  public let plugin: String?
  /// What came of loading it again.
  public let outcome: ReloadOutcome
}

extension App {
  /// Loads plugins again when their files change, or the sources of those that are given by a folder, and
  /// the manifest when it changes, or a file that it includes.
  ///
  /// A change counts when every file has been closed and nothing has happened for a moment, so that
  /// nothing half written is loaded. Plugins that are linked have no files and are not followed.
  /// Network file systems tell nothing of changes that other machines make.
  ///
  /// - Parameter tell: is called with what came of each change; `nil` ends the following.
  /// - Throws: ``FollowingError`` where the files can't be followed.
  public func followFiles(
    _ tell: (@Sendable (FileChange) async -> Void)?
  ) throws(FollowingError) {
    changeTeller = tell
    try follow()
  }

  private func follow() throws(FollowingError) {
    guard changeTeller != nil else {
      follower = nil
      return
    }
    do throws(FollowProblem) {
      // The former one follows until this one does.
      follower = try FileFollower(followedPaths) { [weak self] subject in
        Task { await self?.take(changeOf: subject) }
      }
    } catch {
      throw FollowingError(description: "\(error)")
    }
  }

  private func take(changeOf subject: String) async {
    guard let tell = changeTeller else { return }
    guard subject.isEmpty else {
      return await tell(
        FileChange(plugin: subject, outcome: reload(subject, isAsked: false)))
    }
    await tell(FileChange(plugin: nil, outcome: reloadManifest(isAsked: false)))
  }

  /// Follows the files that are the app's now, after the manifest was read.
  ///
  /// What changed before they were followed would go unseen, so the manifest is read once more.
  func followAgain() {
    guard changeTeller != nil else { return }
    let known = Set(follower?.paths ?? [])
    let paths = Set(followedPaths)
    guard paths != known else { return }
    do throws(FollowingError) {
      try follow()
    } catch {
      // The former files are followed still; trying again would fail again.
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
        // A plugin that was rejected may be a folder of sources.
        FollowedPath(subject: "", path: path, isFolder: FilePath.isFolder(path))
      }
  }
}

/// Why files can't be followed, in words.
public struct FollowingError: Error, CustomStringConvertible {
  public let description: String
}
