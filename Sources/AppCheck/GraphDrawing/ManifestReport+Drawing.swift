internal import Manifest
internal import Navigation
public import Support

/// How a graph is drawn.
public enum GraphFormat: String, CaseIterable, Sendable {
  /// For people, as `:graph` draws it.
  case text
  /// For graphviz.
  case dot
  /// For pages that show Mermaid's flowcharts.
  case mermaid
  /// One object of ours, see docs/manifest.md.
  case json
}

extension ManifestReport {
  /// The links of the manifest, as they are drawn.
  package var links: [GraphDrawing.Link] { manifest?.links.map { GraphDrawing.Link($0) } ?? [] }

  /// The graph, drawn; `nil` where the manifest has errors.
  ///
  /// - Parameters:
  ///   - format: how.
  ///   - width: the columns that the text may take.
  ///   - style: the colours that the text may have.
  /// - Returns: the drawing, with a line break at its end.
  public func drawing(
    _ format: GraphFormat, width: Int = 80, style: Style = .plain
  ) -> String? {
    guard let graph else { return nil }
    let drawing = GraphDrawing(graph, links: links)
    return switch format {
    case .text: drawing.lines(width: width, style: style).map { $0 + "\n" }.joined()
    case .dot: drawing.dot
    case .mermaid: drawing.mermaid
    case .json: drawing.jsonTree.text
    }
  }
}
