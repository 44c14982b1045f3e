internal import AppCheck
internal import FoundationEssentials
internal import Support

/// An HTML page in one file, which makes no request.
///
/// Its content security policy allows its own script and style by their digests, and nothing else.
/// Text from plugins, manifests and recordings must be escaped in ``body``; ``data`` is escaped here.
struct HTMLPage {
  let title: String
  var body = ""
  /// JSON for the script, in lines that it parses separately, by the identifiers of elements.
  var data: [(id: String, lines: String)] = []
  let styles: [[UInt8]]
  let scripts: [[UInt8]]

  var bytes: [UInt8] {
    let style = Array(styles.joined(separator: [0x0a]))
    let script = Array(scripts.joined(separator: [0x0a]))
    let policy =
      "default-src 'none'; script-src \(Self.source(script)); style-src \(Self.source(style)); "
      + "base-uri 'none'; form-action 'none'"
    var page = Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(MarkupText.escaped(title))</title>
      <style>
      """.utf8)
    page += style
    page += Array("</style>\n</head>\n<body>\n\(body)".utf8)
    let escaped = Array("\\u003c".utf8)
    for (id, lines) in data {
      page += Array("<script type=\"application/x-ndjson\" id=\"\(id)\">".utf8)
      // Escaped, neither `</script>` nor `<!--` ends or changes the element; it is only in strings.
      for byte in lines.utf8 {
        if byte == UInt8(ascii: "<") { page += escaped } else { page.append(byte) }
      }
      page += Array("</script>\n".utf8)
    }
    page += Array("<script>".utf8)
    page += script
    page += Array("</script>\n</body>\n</html>\n".utf8)
    return page
  }

  /// The source expression of a content security policy for a script or style.
  private static func source(_ content: [UInt8]) -> String {
    let digest = SHA256(content)
    let bytes = digest.words.indices.flatMap { index in
      withUnsafeBytes(of: digest.words[index].bigEndian) { Array($0) }
    }
    return "'sha256-\(Data(bytes).base64EncodedString())'"
  }
}

extension GraphDrawing {
  /// The graph as an HTML page that is one file, with search and zoom.
  ///
  /// - Complexity: O((n + r) log n) for n nodes and r routes.
  var html: [UInt8] {
    var page = HTMLPage(
      title: "\(title): graph",
      styles: [PackageResources.page_css, Array(Self.svgStyle.utf8)],
      scripts: [PackageResources.graph_js, PackageResources.graph_page_js])
    page.body = String(
      PackageResources.graph_html,
      [
        "title": MarkupText.escaped(title), "tools": String(PackageResources.graph_tools_html),
        "graph": svgContent,
      ])
    return page.bytes
  }
}
