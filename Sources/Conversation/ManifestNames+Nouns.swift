internal import AppCheck
internal import Shell

extension ManifestNames {
  /// The codes that messages end with; some have several meanings.
  private static let codes: [CompletionNouns.Noun] = {
    var seen: Set<String> = []
    return Explanation.all.filter { seen.insert($0.code).inserted }.map {
      .init($0.code, detail: $0.summary)
    }
  }()

  /// The same for the shell's own completion.
  var nouns: CompletionNouns {
    CompletionNouns(
      links: links.map { .init($0.name, detail: $0.detail) },
      plugins: plugins.map { .init($0.name, detail: $0.detail) },
      codes: Self.codes)
  }
}
