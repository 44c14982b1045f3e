internal import Glibc
internal import Support

/// A message of `dlerror`, parsed if its meaning is known.
struct LoaderMessage {
  let cause: Rejection

  /// The text of the last failure in this thread.
  static func text() -> String {
    dlerror().map { String(cString: $0) } ?? "no reason given"
  }

  /// Whether a path is on a file system that is mounted `noexec`: the loader's message is the same
  /// if memory runs out.
  private static func runsNoCode(_ path: String) -> Bool {
    // ST_NOEXEC, one of GNU's extensions.
    let noExecution: UInt = 8
    var status = statvfs()
    return statvfs(path, &status) == 0 && UInt(status.f_flag) & noExecution != 0
  }

  /// Parses an error of `dlopen`, by default the last one of this thread.
  init(
    _ text: String = text(), copy: String, file: PluginFile, _ dependencies: Dependencies,
    runsNoCode: (String) -> Bool = runsNoCode
  ) {
    var text = text
    if let range = text.firstRange(of: copy + ": ") { text.removeSubrange(range) }
    let missing = ": cannot open shared object file"
    if let range = text.firstRange(of: missing),
      file.metadata.needed.contains(
        String(text[..<range.lowerBound]))
    {
      cause = .libraryNotFound(String(text[..<range.lowerBound]))
    } else if text.hasPrefix("failed to map segment"), runsNoCode(copy),
      let slash = copy.lastIndex(of: "/")
    {
      cause = .notExecutable(folder: String(copy[..<slash]))
    } else if let range = text.firstRange(of: "undefined symbol: ") {
      let first = text[range.upperBound...].prefix { !$0.isWhitespace && $0 != "," }
      cause = .undefinedSymbols(
        Self.undefinedSymbols(of: file, dependencies, first: String(first)))
    } else {
      cause = .loader(text)
    }
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
