internal import Support

/// The libraries that a plugin needs, each resolved to one file before any of them is loaded.
///
/// They are searched for where the loader would search for the plugin's original file, and so are
/// the libraries that they need themselves. Then each is loaded by its path, in the order of
/// ``items``, and the loader has no reason to search: a file that appears on the search path later
/// is not loaded. The loader still searches for a library whose `DT_SONAME` is not the name under
/// which it is needed. So such a library is only accepted in the plugin's own folder; its copy is
/// then beside the plugin's copy. In the folders that are searched before, there must be no other file
/// for the loader to find (``checkSearch(at:isGuarding:)``).
struct Dependencies: Sendable {
  /// The libraries that the plugin brings along, which are neither loaded by the host nor of the
  /// system, by the names under which they are needed; each one after those that it needs.
  private(set) var items: [(name: String, file: PluginFile)] = []
  /// Libraries of the system that the host has not loaded.
  private(set) var system: [SystemLibrary] = []
  /// Paths at which there is no file; a file that appears there would be found first.
  private(set) var absent: [String] = []
  /// Those of ``absent`` at which the loader searches, when the plugin is loaded, before it finds the
  /// copy of a library.
  private(set) var searched: [String] = []
  /// The first library that is not found; `nil` if all are.
  private(set) var missing: String?

  init(of plugin: PluginFile) throws(Rejection) {
    var seen: Set<String> = []
    try add(neededBy: plugin, [], LoaderList(), depth: 0, &seen)
  }

  /// Checks that the loader finds nothing when it searches for libraries at paths where there is no
  /// file, and for `isGuarding` also that no other user can put one there.
  static func checkSearch(at paths: [String], isGuarding: Bool) throws(Rejection) {
    for path in paths {
      let (folder, library) = (FilePath.folder(of: path), FilePath.name(of: path))
      if let other = LibrarySearch.processorPath(of: library, in: folder) {
        throw Rejection(
          .pluginUnnamedLibrary,
          "it needs '\(library)', and the loader would find '\(other)' first",
          remedy: "remove '\(other)', or link '\(library)' with `-soname \(library)`")
      }
      if isGuarding, let violation = TrustedPath.violation(ofAddingTo: folder) { throw violation }
    }
  }

  /// Removes the symbols that one of the libraries exports.
  ///
  /// - Complexity: O(*n*), where *n* is the number of symbols in the libraries.
  func removeExports(from symbols: inout Set<String>) {
    for item in items where !symbols.isEmpty {
      try? item.file.elf.forEachSymbol { symbol in
        if symbol.isExported { symbols.remove(symbol.string) }
      }
    }
  }
}

// The walk through a plugin's needed libraries, and through theirs.
extension Dependencies {
  private mutating func add(
    neededBy user: PluginFile, _ inherited: [LibrarySearch.Element], _ list: LoaderList, depth: Int,
    _ seen: inout Set<String>
  ) throws(Rejection) {
    // Real libraries do not need one another in a chain as deep as this.
    guard depth < 32 else {
      throw .loader("libraries need one another")
    }
    if let filter = user.metadata.filters.first {
      throw Rejection(
        .pluginFilter,
        "it is a filter for '\(filter)', which the loader would load in its place")
    }
    let search = try LibrarySearch(for: user, inheriting: inherited, list)
    for written in user.metadata.needed {
      let library = try LibrarySearch.expand(written, origin: FilePath.folder(of: user.path))
      guard seen.insert(library).inserted else { continue }
      let kind = LoadedLibraries.shared.kind(of: library)
      if kind == .ordinary { continue }
      if case .plugin(let name) = kind { throw Self.needsPlugin(name, library) }
      guard let file = try find(library, neededBy: user, search) else { continue }
      if let name = file.metadata.names.first { throw Self.needsPlugin(name, library) }
      // The loader compares names only: it would use the loaded library instead of this one.
      if case .dependency(let digest, let path) = kind, digest != file.digest.value {
        throw Rejection(
          .pluginOtherDependency,
          "it brings along '\(library)', which differs from the one already loaded from '\(path)'")
      }
      try add(neededBy: file, search.inherited, list, depth: depth + 1, &seen)
      items.append((library, file))
    }
  }

  /// The file of a library that the plugin brings along; `nil` for a library of the system, and
  /// for one that is not found.
  private mutating func find(
    _ library: String, neededBy user: PluginFile, _ search: LibrarySearch
  ) throws(Rejection) -> PluginFile? {
    if library.contains("/") {
      try findByPath(library, user.trust)
      return nil
    }
    let (found, absent) = search.find(library)
    self.absent += absent
    guard let (path, element) = found else {
      // If the library is a plugin beside this one, the caller reports that, and not that it is
      // missing.
      let path = FilePath.folder(of: user.path) + "/" + library
      if let file = try? PluginFile(path: path), !file.metadata.names.isEmpty { return file }
      self.absent.append(path)
      missing = missing ?? library
      return nil
    }
    guard let element else {
      try addSystem(path, user.trust)
      return nil
    }
    let file = try Self.read(library, at: path, user.trust)
    if file.metadata.names.isEmpty, file.metadata.soname != library {
      // The search has to lead to the plugin's folder, since the copy is beside the plugin's copy.
      guard element.isOrigin else { throw Self.unnamed(library, path: path) }
      try Self.checkSearch(at: absent, isGuarding: !user.trust.allowsAll)
      searched += absent
    }
    return file
  }

  /// Handles a library that is needed by its path: it is loaded from there, whatever was loaded
  /// before.
  private mutating func findByPath(_ library: String, _ trust: FileTrust) throws(Rejection) {
    guard library.hasPrefix("/") else { throw .relativeSearchPath(library) }
    guard PluginFile.identity(of: library) != nil else {
      missing = missing ?? library
      return
    }
    guard LibrarySearch.systemFolders.contains(FilePath.folder(of: library)) else {
      if let file = try? PluginFile(path: library), let name = file.metadata.names.first {
        throw Self.needsPlugin(name, library)
      }
      throw Self.unnamed(library, path: library)
    }
    try addSystem(library, trust)
  }

  private mutating func addSystem(_ path: String, _ trust: FileTrust) throws(Rejection) {
    do throws(PluginError) { try trust.check(path) } catch { throw error.cause }
    guard let identity = PluginFile.identity(of: path) else { return }
    system.append(SystemLibrary(path: path, identity: identity))
  }

  private static func needsPlugin(_ name: String, _ library: String) -> Rejection {
    Rejection(.pluginNeedsPlugin, "it is linked to '\(library)', which is the plugin '\(name)'")
  }

  private static func unnamed(_ library: String, path: String) -> Rejection {
    Rejection(
      .pluginUnnamedLibrary,
      "it needs '\(library)', and no copy of '\(path)' would be found by that name",
      remedy: "link '\(library)' with `-soname \(FilePath.name(of: library))`, or put it beside "
        + "the plugin and link the plugin with a run path of `$ORIGIN`")
  }

  private static func read(
    _ library: String, at path: String, _ trust: FileTrust
  ) throws(Rejection) -> PluginFile {
    do throws(PluginError) {
      try trust.checkFolder(of: path)
      return try PluginFile(path: path, trust: trust)
    } catch {
      let place: String
      switch error.cause.rule {
      case .pluginWritable: throw error.cause
      case .pluginNotELF, .pluginOtherMachine, .pluginNotShared, .pluginTruncated, .pluginDamaged:
        place = "there"
      default: place = "'\(path)' can't be used:"
      }
      throw Rejection(
        .pluginBrokenDependency, "it needs '\(library)', and \(place) \(error.message)",
        remedy: "rebuild or reinstall '\(library)'")
    }
  }
}

/// A library of the system that a plugin needs and that the host has not loaded.
struct SystemLibrary: Hashable, Sendable {
  let path: String
  /// The identity of the file at that time.
  let identity: FileIdentity
}
