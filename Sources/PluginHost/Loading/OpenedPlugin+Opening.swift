internal import Glibc

/// Why the dynamic loader does not take a plugin, in its own words.
enum LoaderRefusal: Error, Hashable {
  /// It does not open a library that the plugin brings along, by its index, or the plugin itself.
  case notOpened(library: Int?, text: String)
  /// It does not find the entry.
  case noEntry
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
    // What it brings along comes first. Copies of what lies beside the plugin are beside its copy, so
    // that `$ORIGIN` leads to them: SwiftPM gives libraries no `DT_SONAME` by which the loader would
    // know them again.
    for (index, library) in plugin.libraries.enumerated() {
      guard dlopen(library.copy, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nil else {
        throw .notOpened(library: index, text: LoaderMessage.text())
      }
      LoadedLibraries.shared.insert(library)
    }
    makeRoom()
    guard let handle = dlopen(plugin.copy, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw .notOpened(library: nil, text: LoaderMessage.text())
    }
    LoadedLibraries.shared.insert(plugin: plugin.name, handle: handle)
    guard let address = dlsym(handle, plugin.entrySymbol) else { throw .noEntry }
    self.init(
      name: plugin.name, path: plugin.path, identity: plugin.identity,
      generation: plugin.generation, copyPath: plugin.copy,
      entry: unsafeBitCast(address, to: Entry.self))
  }
}

extension LoaderRefusal {
  /// What it means; the files are read again for what the loader does not say.
  func cause(of plugin: PreparedPlugin) -> PluginProblem.Cause {
    switch self {
    case .noEntry: return .entryNotLoaded(plugin.entrySymbol)
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
