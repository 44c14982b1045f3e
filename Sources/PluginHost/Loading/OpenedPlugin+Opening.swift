internal import Glibc
internal import Support

/// Why a plugin can't be loaded by the dynamic loader.
enum LoaderRefusal: Error, Hashable {
  /// `dlopen` fails with `text`: for the library with this index among those that the plugin brings
  /// along; if that is `nil`, for a library of the system or the plugin itself.
  case notOpened(library: Int?, text: String)
  /// `dlsym` does not find the entry.
  case noEntry
  /// The loader has also loaded a file that was not validated and that other users can change.
  case mappedOther(path: String)
}

extension OpenedPlugin {
  /// Opens a plugin's copies with `dlopen`; its initializers run.
  ///
  /// - Parameters:
  ///   - plugin: the plugin.
  ///   - makeRoom: called when the libraries are loaded, and before the plugin itself is.
  /// - Throws: why the plugin can't be loaded.
  init(
    opening plugin: PreparedPlugin, _ makeRoom: () -> Void = {}
  ) throws(LoaderRefusal) {
    let before = MappedObjects()
    // Needed libraries are opened first, each by its path: then the loader knows them by name, and
    // does not search. SwiftPM gives libraries no `DT_SONAME`; the copy of a library without one is
    // beside the plugin's copy, where `$ORIGIN` leads to it.
    for library in plugin.systemLibraries {
      try Self.open(library.path, nil)
    }
    for (index, library) in plugin.libraries.enumerated() {
      if library.isKnownByName, LoadedLibraries.shared.has(library) { continue }
      try Self.open(library.copy, index)
      LoadedLibraries.shared.insert(library)
    }
    makeRoom()
    let handle = try Self.open(plugin.copy, nil)
    LoadedLibraries.shared.insert(plugin: plugin.name, handle: handle)
    if !plugin.trust.allowsAll, let path = MappedObjects().weak(since: before, plugin) {
      throw .mappedOther(path: path)
    }
    guard let address = dlsym(handle, plugin.entrySymbol) else { throw .noEntry }
    self.init(
      name: plugin.name, path: plugin.path, identity: plugin.identity,
      generation: plugin.generation, copyPath: plugin.copy,
      entry: unsafeBitCast(address, to: Entry.self))
  }

  @discardableResult
  private static func open(
    _ path: String, _ library: Int?
  ) throws(LoaderRefusal) -> UnsafeMutableRawPointer {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw .notOpened(library: library, text: LoaderMessage.text())
    }
    return handle
  }
}

extension LoaderRefusal {
  /// The rejection to report; the files are read again for details that the loader does not give.
  func cause(of plugin: PreparedPlugin) -> Rejection {
    switch self {
    case .noEntry: return .entryNotLoaded(plugin.entrySymbol)
    case .mappedOther(let path): return .mappedOther(path: path)
    case .notOpened(let index, let text):
      let library = index.flatMap {
        plugin.libraries.indices.contains($0) ? plugin.libraries[$0] : nil
      }
      guard let file = try? PluginFile(path: library?.path ?? plugin.path),
        let dependencies = try? Dependencies(of: file)
      else { return .loader(text) }
      return LoaderMessage(
        text, copy: library?.copy ?? plugin.copy, file: file, dependencies
      ).cause
    }
  }
}
