internal import AppCheck
internal import AppCore
internal import Glibc

/// A plugin whose file or sources have changed, and what came of it.
public struct PluginChange: Sendable {
  /// The plugin's name.
  public let plugin: String
  /// What came of loading it again.
  public let outcome: ReloadOutcome
}

extension App {
  /// Loads plugins again when their files change, or the sources of those that are given by a folder.
  ///
  /// A change counts when every file has been closed and nothing has happened for a moment, so that
  /// nothing half written is loaded. Plugins that are linked have no files and are not followed.
  /// Network file systems tell nothing of changes that other machines make.
  ///
  /// - Parameter tell: is called with what came of each change; `nil` ends the following.
  /// - Throws: ``FollowingError`` where the files can't be followed.
  public func followPlugins(
    _ tell: (@Sendable (PluginChange) async -> Void)?
  ) throws(FollowingError) {
    follower = nil
    guard let tell else { return }
    let plugins = current.plugins.compactMap { plugin -> FollowedPlugin? in
      guard let path = plugin.member.folder ?? plugin.member.path else { return nil }
      return FollowedPlugin(
        name: plugin.name, path: Self.plain(path), isFolder: plugin.member.folder != nil)
    }
    do throws(FollowProblem) {
      follower = try PluginFollower(plugins) { [weak self] name in
        Task {
          guard let self else { return }
          await tell(PluginChange(plugin: name, outcome: self.reload(name, isAsked: false)))
        }
      }
    } catch {
      throw FollowingError(description: "\(error)")
    }
  }

  /// A path without slashes at its end.
  private static func plain(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

/// Why plugins can't be followed, in words.
public struct FollowingError: Error, CustomStringConvertible {
  public let description: String
}
