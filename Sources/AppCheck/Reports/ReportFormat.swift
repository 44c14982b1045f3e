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
