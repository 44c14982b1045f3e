internal import Manifest

/// Which problems of a manifest are shown, and which of them count.
public struct ReportSelection: Sendable {
  /// The most problems that are shown.
  public var limit: Int
  /// Codes of warnings and notes that are left out.
  public var ignoredCodes: Set<String>
  /// Whether a warning makes the status that of an error.
  public var warningsAreErrors: Bool

  /// Creates a selection.
  public init(
    limit: Int = 100, ignoredCodes: Set<String> = [], warningsAreErrors: Bool = false
  ) {
    self.limit = limit
    self.ignoredCodes = ignoredCodes
    self.warningsAreErrors = warningsAreErrors
  }

  /// The problems that are not left out.
  func kept(_ problems: [Problem]) -> [Problem] {
    problems.filter { $0.severity == .error || !ignoredCodes.contains($0.code) }
  }

  /// The problems that are shown: where there are too many, errors before warnings, in the order of
  /// their places.
  func shown(_ problems: [Problem]) -> [Problem] {
    let kept = kept(problems)
    guard kept.count > limit else { return kept }
    let weights: [Problem.Severity] = [.error, .warning, .note]
    let heaviest = weights.flatMap { weight in kept.filter { $0.severity == weight } }
    return heaviest.prefix(limit).sorted()
  }
}
