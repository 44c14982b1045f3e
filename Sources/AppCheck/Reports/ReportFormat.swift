internal import Diagnostics
internal import Support

/// How the problems of a manifest are written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// For people, as compilers do.
  case text
  /// One object of ours, see docs/problems.md.
  case json
  /// SARIF 2.1.0, for editors and services that show what tools find.
  case sarif
}

extension ManifestReport {
  /// The problems in a format; as text nothing where there are none.
  public func rendered(
    _ format: ReportFormat, _ selection: ReportSelection = ReportSelection()
  ) -> String {
    Self.rendered([self], format, selection)
  }

  /// The problems of some manifests in a format, in the order of the manifests.
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
  func kept(_ problems: [Diagnostic]) -> [Diagnostic] {
    problems.filter { $0.severity == .error || !ignoredCodes.contains($0.code) }
  }

  /// The problems that are shown: where there are too many, errors before warnings, in the order of
  /// their places.
  func shown(_ problems: [Diagnostic]) -> [Diagnostic] {
    let kept = kept(problems)
    guard kept.count > limit else { return kept }
    let weights: [Severity] = [.error, .warning, .note]
    let heaviest = weights.flatMap { weight in kept.filter { $0.severity == weight } }
    return heaviest.prefix(limit).sorted()
  }
}
