internal import Support

/// A format in which the problems of manifests are written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// Text for people, as compilers print diagnostics.
  case text
  /// A JSON object, which docs/problems.md describes.
  case json
  /// SARIF 2.1.0, for editors and services that show the results of analysis tools.
  case sarif
}

extension ManifestReport {
  /// The problems of one or more manifests in a format, in the order of the manifests; the text
  /// format is empty if there are none.
  public static func rendered(
    _ reports: [ManifestReport], _ format: ReportFormat,
    _ selection: ReportSelection = ReportSelection()
  ) -> String {
    switch format {
    case .text: reports.map { $0.text(selection) }.joined()
    case .json: jsonTree(reports, selection).text
    case .sarif: sarif(reports, selection).text
    }
  }
}

/// The options that select which problems are shown, and whether warnings count as errors.
public struct ReportSelection: Sendable {
  /// The maximum number of problems that are shown for each manifest; negative numbers count as 0.
  public var limit: Int
  /// The codes of the warnings and notes to leave out; errors are never left out.
  public var ignoredCodes: Set<String>
  /// Whether warnings result in the exit status of an error.
  public var warningsAreErrors: Bool

  /// Creates a selection, by default of the first 100 problems of each manifest.
  public init(
    limit: Int = 100, ignoredCodes: Set<String> = [], warningsAreErrors: Bool = false
  ) {
    self.limit = limit
    self.ignoredCodes = ignoredCodes
    self.warningsAreErrors = warningsAreErrors
  }

  /// The problems whose codes are not ignored, including those beyond ``limit``.
  func kept(_ problems: [Diagnostic]) -> [Diagnostic] {
    problems.filter { $0.severity == .error || !ignoredCodes.contains($0.code) }
  }

  /// The problems that are shown, in order of position.
  ///
  /// If there are more than ``limit``, errors are chosen first, then warnings, then notes.
  func shown(_ problems: [Diagnostic]) -> [Diagnostic] {
    let kept = kept(problems)
    guard kept.count > limit else { return kept }
    let weights: [Severity] = [.error, .warning, .note]
    let heaviest = weights.flatMap { weight in kept.filter { $0.severity == weight } }
    return heaviest.prefix(max(0, limit)).sorted()
  }
}
