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
  /// A picture that a browser shows.
  case svg
  /// One object of ours, see docs/manifest.md.
  case json
}

extension ManifestReport {
  /// The links of the manifest, as they are drawn.
  package var links: [GraphDrawing.Link] { manifest?.links.map { GraphDrawing.Link($0) } ?? [] }

  /// The graph, as a value to be drawn; `nil` where the manifest has errors.
  public var drawing: GraphDrawing? { graph.map { GraphDrawing($0, links: links) } }

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
    guard let drawing else { return nil }
    return switch format {
    case .text: drawing.lines(width: width, style: style).map { $0 + "\n" }.joined()
    case .dot: drawing.dot
    case .mermaid: drawing.mermaid
    case .svg: drawing.svg
    case .json: drawing.jsonTree.text
    }
  }
}
