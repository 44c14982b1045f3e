internal import AppCheck
internal import Diagnostics
internal import Shell

extension ManifestNames {
  /// The codes that messages end with.
  private static let codes = Explanation.rules.map {
    CompletionNouns.Noun($0.code, detail: $0.summary)
  }

  /// The same for the shell's own completion.
  var nouns: CompletionNouns {
    CompletionNouns(
      links: links.map { .init($0.name, detail: $0.detail) },
      plugins: plugins.map { .init($0.name, detail: $0.detail) },
      codes: Self.codes)
  }
}
