internal import Manifest
internal import Navigation
public import Support

public enum GraphFormat: String, CaseIterable, Sendable {
  case text
  case dot
  case mermaid
  case svg
  /// A JSON object, described in docs/manifest.md.
  case json
}

extension ManifestReport {
  /// The drawing of the graph; `nil` if the manifest has errors.
  public var drawing: GraphDrawing? { graph.map { GraphDrawing($0) } }

  /// The graph in a format, ending in a line break; `nil` if the manifest has errors.
  ///
  /// Width and style are those of text.
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
