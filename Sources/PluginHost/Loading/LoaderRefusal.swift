internal import Glibc
internal import Support

enum LoaderRefusal: Error, Hashable {
  /// `dlopen` fails with `text`: for the library with this index among those that the plugin brings
  /// along; if that is `nil`, for a library of the system or the plugin itself.
  case notOpened(library: Int?, text: String)
  case noEntry
  /// The loader has also loaded a file that was not validated and that other users can change.
  case mappedOther(path: String)

  /// The rejection to report; the files are read again for details that the loader does not give.
  func cause(of plugin: PreparedPlugin) -> Rejection {
    switch self {
    case .noEntry:
      return Rejection(
        .pluginEntryNotLoaded, "the loader does not find '\(plugin.entrySymbol)'")
    case .mappedOther(let path):
      return Rejection(
        .pluginMappedOther,
        "with it the loader has loaded '\(path)', which other users can change",
        remedy: "end the app; then remove '\(path)', or make it and its folder unwritable for "
          + "others")
    case .notOpened(let index, let text):
      let library = index.flatMap {
        plugin.libraries.indices.contains($0) ? plugin.libraries[$0] : nil
      }
      guard let file = try? PluginFile(path: (library ?? plugin.file).path),
        let dependencies = try? Dependencies(of: file)
      else { return .loader(text) }
      return Self.cause(text, copy: (library ?? plugin.file).copy, file, dependencies)
    }
  }

  /// Parses an error of `dlopen`, if its meaning is known.
  static func cause(
    _ text: String, copy: String, _ file: PluginFile, _ dependencies: Dependencies,
    runsNoCode: (String) -> Bool = runsNoCode
  ) -> Rejection {
    var text = text
    if let range = text.firstRange(of: copy + ": ") { text.removeSubrange(range) }
    if let range = text.firstRange(of: ": cannot open shared object file"),
      case let library = String(text[..<range.lowerBound]), file.metadata.needed.contains(library)
    {
      return .libraryNotFound(library)
    }
    // The message is the same if memory runs out.
    if text.hasPrefix("failed to map segment"), runsNoCode(copy) {
      return .notExecutable(folder: FilePath.folder(of: copy))
    }
    guard let range = text.firstRange(of: "undefined symbol: ") else { return .loader(text) }
    let first = String(text[range.upperBound...].prefix { !$0.isWhitespace && $0 != "," })
    let symbols = undefinedSymbols(of: file, dependencies, first: first)
    return Rejection(
      .pluginUndefinedSymbols, "it needs \(counted(symbols.count, "symbol")) that nothing defines",
      details: Rejection.lines(of: symbols))
  }

  /// Whether a path is on a file system that is mounted `noexec`.
  private static func runsNoCode(_ path: String) -> Bool {
    // ST_NOEXEC, one of GNU's extensions.
    let noExecution: UInt = 8
    var status = statvfs()
    return statvfs(path, &status) == 0 && UInt(status.f_flag) & noExecution != 0
  }

  /// All undefined symbols of a plugin; the loader names only the first one.
  private static func undefinedSymbols(
    of file: PluginFile, _ dependencies: Dependencies, first: String
  ) -> [String] {
    // The symbols of a library that is not loaded are unknown here.
    for library in file.metadata.needed
    where LoadedLibraries.shared.kind(of: library) == .absent {
      return [first]
    }
    var symbols: Set<String> = [first]
    // Every symbol was checked when the file was read, so a second walk can't fail.
    try? file.elf.forEachSymbol { symbol in
      guard !symbol.isDefined, !symbol.isWeak, symbols.count < PluginValidator.SDKSymbols.listed,
        let name = symbol.name.baseAddress?.assumingMemoryBound(to: CChar.self),
        dlsym(nil, name) == nil
      else { return }
      symbols.insert(symbol.string)
    }
    dependencies.removeExports(from: &symbols)
    symbols.insert(first)
    return symbols.sorted()
  }
}

extension Rejection {
  static func loader(_ text: String) -> Rejection {
    Rejection(.pluginLoader, "the loader refuses: \(text)")
  }

  static func libraryNotFound(_ library: String) -> Rejection {
    Rejection(
      .pluginLibraryNotFound, "it needs '\(library)', which is not found",
      remedy: "install '\(library)'; if it is beside the plugin, link the plugin with a run path "
        + "of `$ORIGIN`")
  }

  /// The first 8 of some mangled symbols, demangled, and the number of the others.
  static func lines(of symbols: [String]) -> [String] {
    let limit = 8
    return symbols.prefix(limit).map { "symbol: \(Demangler.readable($0))" }
      + (symbols.count > limit ? ["and \(counted(symbols.count - limit, "other"))"] : [])
  }
}
