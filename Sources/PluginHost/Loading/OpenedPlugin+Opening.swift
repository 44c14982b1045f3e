internal import Diagnostics
internal import Glibc

/// Why the dynamic loader does not take a plugin, in its own words.
enum LoaderRefusal: Error, Hashable {
  /// It does not open a library that the plugin brings along, by its index, or the plugin itself.
  case notOpened(library: Int?, text: String)
  /// It does not find the entry.
  case noEntry
  /// It has loaded a file that is not one of those that were validated, and that others can change.
  case mappedOther(path: String)
}

extension OpenedPlugin {
  /// Gives a plugin's copies to the dynamic loader; its initializers run.
  ///
  /// - Parameters:
  ///   - plugin: the plugin.
  ///   - makeRoom: called when what the plugin brings along is loaded.
  /// - Throws: what the dynamic loader says.
  init(
    opening plugin: PreparedPlugin, _ makeRoom: () -> Void = {}
  ) throws(LoaderRefusal) {
    let before = MappedObjects()
    // What it needs comes first, each by its path: then the loader has it by its name, and does not
    // search. Copies of libraries without such a name are beside the plugin's copy, so that `$ORIGIN`
    // leads to them: SwiftPM gives libraries no `DT_SONAME`.
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
  /// What it means; the files are read again for what the loader does not say.
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
