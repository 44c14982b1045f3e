internal import Diagnostics
internal import Support

/// The libraries that a plugin needs, each resolved to one file before any of them is loaded.
///
/// They are looked for where the loader would look, beginning from where the plugin's file is, and
/// followed through what they need themselves. Then the loader is given each of them by its path, in
/// ``items``' order, and has no reason to search: what appears in a folder of the search path later is
/// not loaded. What it still searches for is a library that does not bear the name under which it is
/// needed; that is taken from the plugin's own folder only, of which the copy has its own.
struct Dependencies: Sendable {
  /// The libraries in an order in which they can be loaded: what is needed comes first.
  private(set) var items: [Dependency] = []
  /// Libraries of the system that the host has not loaded.
  private(set) var system: [SystemLibrary] = []
  /// Paths at which there is no file; one that appears there would be found first.
  private(set) var absent: [String] = []
  /// The first library that is nowhere.
  private(set) var missing: String?

  init(of plugin: PluginFile) throws(Rejection) {
    var walk = Walk(trust: plugin.trust)
    try walk.add(neededBy: plugin, [], depth: 0)
    items = walk.items
    system = walk.system
    absent = walk.absent
    missing = walk.missing
  }

  /// Removes the symbols that one of the libraries defines for others.
  ///
  /// - Complexity: linear in the symbols of the libraries.
  func removeExports(from symbols: inout Set<String>) {
    for item in items where !symbols.isEmpty {
      try? item.file.elf.forEachSymbol { symbol in
        if symbol.isExported { symbols.remove(symbol.string) }
      }
    }
  }
}

extension Dependencies {
  /// The way through what is needed.
  private struct Walk {
    let trust: FileTrust
    var items: [Dependency] = []
    var system: [SystemLibrary] = []
    var absent: [String] = []
    var missing: String?
    private var seen: Set<String> = []
    private let cache = LibraryCache()

    init(trust: FileTrust) { self.trust = trust }

    mutating func add(
      neededBy user: PluginFile, _ inherited: [SearchElement], depth: Int
    ) throws(Rejection) {
      // Libraries that need each other in a chain as deep as this do not exist.
      guard depth < 32 else {
        throw Rejection.loader("libraries need one another")
      }
      if let filter = user.facts.filters.first {
        throw Rejection.filter(of: filter)
      }
      let search = try LibrarySearch(for: user, inheriting: inherited, cache: cache)
      for written in user.facts.needed {
        let library = try Self.expanded(written, neededBy: user)
        guard seen.insert(library).inserted else { continue }
        let kind = LoadedLibraries.shared.kind(of: library)
        if kind == .ordinary { continue }
        if case .plugin(let name) = kind {
          throw Rejection.needsPlugin(name: name, library: library)
        }
        guard let file = try find(library, neededBy: user, search) else { continue }
        if let name = file.facts.names.first {
          throw Rejection.needsPlugin(name: name, library: library)
        }
        // The loader goes by the name, so the second of two libraries would be taken for the first.
        if case .dependency(let digest, let path) = kind, digest != file.digest.value {
          throw Rejection.otherDependency(library: library, loaded: path)
        }
        try add(neededBy: file, search.inherited, depth: depth + 1)
        items.append(Dependency(name: library, file: file))
      }
    }

    /// The name of a library, where it is a path without its tokens.
    private static func expanded(
      _ library: String, neededBy user: PluginFile
    ) throws(Rejection) -> String {
      do throws(DynamicStringTokens.Unresolved) {
        return try DynamicStringTokens(origin: FilePath.folder(of: user.path)).expand(library)
      } catch {
        throw .searchPath(library, token: error.token)
      }
    }

    /// The file of a library that the plugin brings along; `nil` for one that is the system's, and
    /// for one that is nowhere.
    private mutating func find(
      _ library: String, neededBy user: PluginFile, _ search: LibrarySearch
    ) throws(Rejection) -> PluginFile? {
      if library.contains("/") { return try findByPath(library) }
      let (result, absent) = search.find(library)
      self.absent += absent
      switch result {
      case .system(let path):
        try addSystem(path)
        return nil
      case .file(let path, let element):
        let file = try read(library, at: path)
        if file.facts.names.isEmpty, file.facts.soname != library {
          try checkUnnamed(library, path, element, absent)
        }
        return file
      case .nowhere:
        // To be linked to the plugin beside it is refused for what it is, and not because that plugin
        // is not found.
        let path = FilePath.folder(of: user.path) + "/" + library
        if let file = try? PluginFile(path: path), !file.facts.names.isEmpty { return file }
        self.absent.append(path)
        missing = missing ?? library
        return nil
      }
    }

    /// A library that is needed by its path is loaded from there, whatever was loaded before.
    private mutating func findByPath(
      _ library: String
    ) throws(Rejection) -> PluginFile? {
      guard library.hasPrefix("/") else {
        throw .relativeSearchPath(library)
      }
      guard PluginFile.identity(of: library) != nil else {
        missing = missing ?? library
        return nil
      }
      guard SystemFolders.paths.contains(FilePath.folder(of: library)) else {
        if let file = try? PluginFile(path: library), let name = file.facts.names.first {
          throw Rejection.needsPlugin(name: name, library: library)
        }
        throw Rejection.unnamedLibrary(library, path: library)
      }
      try addSystem(library)
      return nil
    }

    private mutating func addSystem(_ path: String) throws(Rejection) {
      do throws(PluginError) { try trust.check(path) } catch {
        throw error.cause
      }
      guard let identity = PluginFile.identity(of: path) else { return }
      system.append(SystemLibrary(path: path, identity: identity))
    }

    private func read(
      _ library: String, at path: String
    ) throws(Rejection) -> PluginFile {
      do throws(PluginError) {
        try trust.checkFolder(of: path)
        return try PluginFile(path: path, trust: trust)
      } catch {
        switch error.cause.rule {
        case .pluginWritable: throw error.cause
        case .pluginNotELF, .pluginOtherMachine, .pluginNotShared, .pluginTruncated, .pluginDamaged:
          throw .brokenDependency(library: library, reason: error.message)
        default:
          throw .unreadableDependency(library: library, path: path, reason: error.message)
        }
      }
    }

    /// Makes sure that the loader comes to the copy of a library that it has to search for.
    ///
    /// The copy is beside the plugin's copy. So the search must lead there, and no other user may be
    /// able to put a file where it leads before.
    private func checkUnnamed(
      _ library: String, _ path: String, _ element: SearchElement, _ absent: [String]
    ) throws(Rejection) {
      guard element.isOrigin else {
        throw Rejection.unnamedLibrary(library, path: path)
      }
      guard !trust.allowsAll else { return }
      for path in absent {
        let folder = FilePath.folder(of: path)
        if let (path, weakness) = GuardedPath.weakness(ofAddingTo: folder) {
          throw Rejection.writable(path: path, weakness)
        }
      }
    }
  }
}

/// A library that a plugin brings along: needed, and neither loaded by the host nor the system's.
struct Dependency: Sendable {
  /// The name under which it is needed.
  let name: String
  let file: PluginFile

  /// Whether the loader knows it by that name once it is loaded, so that it does not search for it.
  var isKnownByName: Bool { file.facts.soname == name }
}

/// A library of the system's that a plugin needs and that the host has not loaded.
struct SystemLibrary: Hashable, Sendable {
  /// Where it was found.
  let path: String
  /// The state of the file then.
  let identity: FileIdentity
}
