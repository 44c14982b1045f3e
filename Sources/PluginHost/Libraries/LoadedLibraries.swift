internal import Glibc
internal import Support

/// The libraries that this process has loaded, as the dynamic loader sees them.
///
/// There is one loader in a process, hence one instance of this type. It remembers which images are
/// plugins, because a plugin must not be linked to another one.
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

  /// The kind of the library that is loaded under a name; unless it is absent, the loader would not
  /// search for it.
  ///
  /// - Complexity: O(1) for the name of a library that was found before; otherwise one `dlopen` of
  ///   some microseconds, which loads nothing.
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

  /// Whether the same bytes are loaded under the library's name.
  func has(_ library: PreparedPlugin.File) -> Bool {
    state.withLock { $0.dependencies[library.name]?.digest == library.digest }
  }

  func insert(plugin name: String, handle: UnsafeMutableRawPointer) {
    state.withLock { $0.plugins[handle] = name }
  }

  func insert(_ library: PreparedPlugin.File) {
    state.withLock { state in
      if state.dependencies[library.name] == nil {
        state.dependencies[library.name] = (library.digest, library.path)
      }
    }
  }
}
