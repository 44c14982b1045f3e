internal import Glibc
internal import Support

/// The libraries that this process has loaded, as the dynamic loader sees them.
///
/// There is one loader in a process, hence one instance of this type. It remembers which images are
/// plugins, because a plugin must not be linked to another one.
final class LoadedLibraries: Sendable {
  static let shared = LoadedLibraries()

  private let state = Locked(
    (
      ordinary: Set<String>(), plugins: [UnsafeMutableRawPointer: String](),
      dependencies: [String: (digest: UInt64, path: String)]()
    ))

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

  /// The paths of the objects that the loader has mapped, by the addresses that they begin at.
  static var mapped: [UInt: String] {
    var paths: [UInt: String] = [:]
    _ = withUnsafeMutablePointer(to: &paths) { paths in
      GNUFunctions.forEachObject?(
        { info, _, paths in
          // `dl_phdr_info`: an address and a name come first.
          guard let info, let paths,
            let name = info.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
          else { return 0 }
          let address = info.load(as: UInt.self)
          paths.assumingMemoryBound(to: [UInt: String].self).pointee[address] =
            String(cString: name)
          return 0
        }, paths)
    }
    return paths
  }
}

extension PreparedPlugin {
  /// The path of an object that was mapped since `before`, and that was neither validated with the
  /// plugin nor is safe from other users; `nil` if there is none.
  ///
  /// Libraries that those of the system need, or that the plugin loads itself, are not validated.
  func unsafeObject(mappedSince before: [UInt: String]) -> String? {
    var validated = Dictionary(
      ([file] + libraries).map { ($0.copy, $0.copyIdentity) }, uniquingKeysWith: { $1 })
    for library in systemLibraries { validated[library.path] = library.identity }
    let new = LoadedLibraries.mapped.filter { before[$0.key] != $0.value }.values.sorted()
    return new.first { path in
      if let identity = validated[path],
        PluginFile.identity(of: path)?.isSameFile(as: identity) == true
      {
        return false
      }
      // A library of the system was replaced since it was found. A private copy may have been
      // removed or made again since by another process of this user, but what was mapped was
      // complete.
      if systemLibraries.contains(where: { $0.path == path }) { return true }
      return (try? FileTrust.guarded.check(path)) == nil
    }
  }
}
