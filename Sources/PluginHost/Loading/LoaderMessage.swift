internal import Glibc

/// What `dlerror` says, turned into data where its meaning is known.
struct LoaderMessage {
  let cause: PluginProblem.Cause

  /// The text of the last failure in this thread.
  static func text() -> String {
    dlerror().map { String(cString: $0) } ?? "no reason given"
  }

  /// Reads the last failure of `dlopen` in this thread.
  init(copy: String, file: PluginFile, _ dependencies: Dependencies) {
    var text = Self.text()
    if let range = text.firstRange(of: copy + ": ") { text.removeSubrange(range) }
    let missing = ": cannot open shared object file"
    if let range = text.firstRange(of: missing),
      file.facts.needed.contains(
        String(text[..<range.lowerBound]))
    {
      cause = .libraryNotFound(String(text[..<range.lowerBound]))
    } else if let range = text.firstRange(of: "undefined symbol: ") {
      let first = text[range.upperBound...].prefix { !$0.isWhitespace && $0 != "," }
      cause = .undefinedSymbols(
        Self.undefinedSymbols(of: file, dependencies, first: String(first)))
    } else {
      cause = .loader(text)
    }
  }

  /// The loader names the first symbol that it misses; a person wants to know all.
  private static func undefinedSymbols(
    of file: PluginFile, _ dependencies: Dependencies, first: String
  ) -> [String] {
    // What a library of the system would define, if it is not loaded, can't be told here.
    for library in file.facts.needed
    where LoadedLibraries.shared.kind(of: library) == .absent {
      return [first]
    }
    var symbols: Set<String> = [first]
    // Every symbol was checked when the file was read, so a second walk can't fail.
    try? file.elf.forEachSymbol { symbol in
      guard !symbol.isDefined, !symbol.isWeak, symbols.count < PluginJudge.missingKept,
        let name = symbol.name.baseAddress?.assumingMemoryBound(to: CChar.self),
        dlsym(nil, name) == nil, !dependencies.exports(symbol.string)
      else { return }
      symbols.insert(symbol.string)
    }
    return symbols.sorted()
  }
}
