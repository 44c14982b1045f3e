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
    switch format {
    case .text: text(selection)
    case .json: jsonTree(selection).text
    case .sarif: sarif(selection).text
    }
  }
}
