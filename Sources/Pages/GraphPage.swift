public import AppCheck
internal import Support

extension GraphDrawing {
  /// The graph as a page that a browser opens: one file, with search and zoom.
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
      <div class="tools">
      <label for="search">Find</label>
      <input id="search" type="search" placeholder="node, feature, action" aria-describedby="found">
      <span id="found" role="status"></span>
      </div>
      <div class="tools" role="group" aria-label="Size">
      <button id="smaller" aria-label="Smaller">−</button>
      <span id="size">100 %</span>
      <button id="larger" aria-label="Larger">+</button>
      <button id="fit">Fit</button>
      </div>
      </header>
      <main id="picture" class="picture">
      \(svgContent)</main>

      """
    return page.bytes
  }
}
