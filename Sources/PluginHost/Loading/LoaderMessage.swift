internal import Glibc

/// What `dlerror` says, turned into data where its meaning is known.
struct LoaderMessage {
  let cause: PluginProblem.Cause

  /// The text of the last failure in this thread.
  static func text() -> String {
    dlerror().map { String(cString: $0) } ?? "no reason given"
  }

  /// Reads the last failure of `dlopen` in this thread.
  init(copy: String, file: PluginFile) {
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
      cause = .undefinedSymbols([String(first)])
    } else {
      cause = .loader(text)
    }
  }
}
