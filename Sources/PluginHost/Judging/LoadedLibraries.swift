internal import Glibc
internal import Support

/// What this process has loaded already, as the dynamic loader sees it.
///
/// There is one loader in a process, hence one value of this type. It remembers which images are
/// plugins, because a plugin must not be another one's library.
final class LoadedLibraries: Sendable {
  static let shared = LoadedLibraries()

  private struct State {
    var ordinary: Set<String> = []
    var plugins: [UnsafeMutableRawPointer: String] = [:]
    var dependencies: [String: (digest: UInt64, path: String)] = [:]
  }

  private let state = Locked(State())

  enum Kind: Equatable {
    case absent
    case ordinary
    case plugin(name: String)
    /// A plugin that was loaded before brought it along.
    case dependency(UInt64, path: String)
  }

  /// Whether a library that is needed under this name is here, so that it would not be searched.
  ///
  /// - Complexity: a set's lookup for names that were asked for before, else one `dlopen` of some
  ///   microseconds, which loads nothing.
  func kind(of library: String) -> Kind {
    state.withLock { state in
      if state.ordinary.contains(library) { return .ordinary }
      if let (digest, path) = state.dependencies[library] { return .dependency(digest, path: path) }
      // The handle is kept: a library that the host has loaded is never closed.
      guard let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD) else { return .absent }
      if let name = state.plugins[handle] { return .plugin(name: name) }
      state.ordinary.insert(library)
      return .ordinary
    }
  }

  func insert(plugin name: String, handle: UnsafeMutableRawPointer) {
    state.withLock { $0.plugins[handle] = name }
  }

  func insert(_ library: PreparedPlugin.Library) {
    state.withLock { state in
      if state.dependencies[library.name] == nil {
        state.dependencies[library.name] = (library.digest, library.path)
      }
    }
  }
}
