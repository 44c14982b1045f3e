public import AppCheck
internal import Support

extension GraphDrawing {
  /// The graph as an HTML page that is one file, with search and zoom.
  ///
  /// - Complexity: O((n + r) log n) for n nodes and r routes.
  public var html: [UInt8] {
    var page = HTMLPage(
      title: "\(title): graph",
      styles: [PackageResources.page_css, Array(Self.svgStyle.utf8)],
      scripts: [PackageResources.graph_js, PackageResources.graph_page_js])
    page.body = """
      <header>
      <h1>\(MarkupText.escaped(title))</h1>
      <div class="tools" role="search">
      <label for="search">Find</label>
      <input id="search" type="search" placeholder="node, feature, action" \
      aria-describedby="found" aria-keyshortcuts="/">
      <span id="found" role="status"></span>
      </div>
      \(GraphTools.size)\(GraphTools.legend)</header>
      <main id="picture" class="picture">
      \(svgContent)</main>

      """
    return page.bytes
  }
}
