internal import Glibc

/// The objects that the loader has mapped into this process.
struct MappedObjects {
  /// The path of each object, by the address that it begins at.
  private var paths: [UInt: String] = [:]

  init() {
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
  }

  /// The path of an object that was mapped since `before`, and that was neither validated with the
  /// plugin nor is safe from other users; `nil` if there is none.
  ///
  /// Libraries that those of the system need, or that the plugin loads itself, are not validated.
  func unsafe(since before: MappedObjects, _ plugin: PreparedPlugin) -> String? {
    var validated: [String: FileIdentity] = [plugin.file.copy: plugin.file.copyIdentity]
    for library in plugin.libraries { validated[library.copy] = library.copyIdentity }
    for library in plugin.systemLibraries { validated[library.path] = library.identity }
    let new = paths.filter { before.paths[$0.key] != $0.value }.values.sorted()
    return new.first { path in
      if let identity = validated[path],
        PluginFile.identity(of: path)?.isSameFile(as: identity) == true
      {
        return false
      }
      // A library of the system was replaced since it was found. A private copy may have been
      // removed or made again since by another process of this user, but what was mapped was
      // complete.
      if plugin.systemLibraries.contains(where: { $0.path == path }) { return true }
      return (try? FileTrust.guarded.check(path)) == nil
    }
  }
}
