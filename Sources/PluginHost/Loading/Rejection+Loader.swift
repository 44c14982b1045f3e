internal import Glibc
internal import Support

// What the dynamic loader refuses, in our words.
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

  /// Why `dlopen` fails for a plugin's file; it is read again for details that the loader does not
  /// give.
  static func notOpened(_ file: PreparedPlugin.File, _ text: String) -> Rejection {
    guard let original = try? PluginFile(path: file.path),
      let dependencies = try? Dependencies(of: original)
    else { return .loader(text) }
    return notOpened(text, copy: file.copy, original, dependencies)
  }

  /// Parses an error of `dlopen`, if its meaning is known.
  static func notOpened(
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
      details: lines(of: symbols))
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
      guard !symbol.isDefined, !symbol.isWeak, symbols.count < ValidatedPlugin.listedSymbols,
        let name = symbol.name.baseAddress?.assumingMemoryBound(to: CChar.self),
        dlsym(nil, name) == nil
      else { return }
      symbols.insert(symbol.string)
    }
    dependencies.removeExports(from: &symbols)
    symbols.insert(first)
    return symbols.sorted()
  }

  /// The first 8 of some mangled symbols, demangled, and the number of the others.
  static func lines(of symbols: [String]) -> [String] {
    let limit = 8
    return symbols.prefix(limit).map { "symbol: \(Demangler.readable($0))" }
      + (symbols.count > limit ? ["and \(counted(symbols.count - limit, "other"))"] : [])
  }
}
