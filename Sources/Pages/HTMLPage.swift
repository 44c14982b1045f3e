internal import Support

/// A page of HTML that is one file: it opens by a double click and asks no network for anything.
///
/// A content security policy allows the page's own script and style, by their digests, and nothing
/// else; what comes from plugins, manifests and recordings is text, never markup.
struct HTMLPage {
  /// What the window is called.
  let title: String
  /// The content of the page, markup of ours.
  var body = ""
  /// What the script reads, as JSON, by the identifiers of elements.
  var data: [(id: String, json: [UInt8])] = []
  let styles: [[UInt8]]
  let scripts: [[UInt8]]

  /// The file.
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
    for (id, json) in data {
      page += Array("<script type=\"application/json\" id=\"\(id)\">".utf8)
      page += Self.embedded(json)
      page += Array("</script>\n".utf8)
    }
    page += Array("<script>".utf8)
    page += script
    page += Array("</script>\n</body>\n</html>\n".utf8)
    return page
  }

  /// What a content security policy calls a script or style with this content.
  private static func source(_ content: [UInt8]) -> String {
    "'sha256-\(base64(bytes(of: SHA256(content))))'"
  }

  /// JSON as the content of an element that a parser of HTML must not see the end of too early.
  private static func embedded(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(UInt8(ascii: "<")) else { return json }
    var embedded: [UInt8] = []
    embedded.reserveCapacity(json.count + json.count / 16)
    for byte in json {
      // Only strings have it, which may have any character escaped.
      if byte == UInt8(ascii: "<") {
        embedded += Array("\\u003c".utf8)
      } else {
        embedded.append(byte)
      }
    }
    return embedded
  }

  private static func bytes(of digest: SHA256) -> [UInt8] {
    let (first, second, third, last) = digest.words
    return [first, second, third, last].flatMap { word in
      withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = (0..<3).reduce(UInt32(0)) { number, index in
        number << 8 | (index < group.count ? UInt32(group[group.startIndex + index]) : 0)
      }
      for index in 0..<4 {
        text.append(
          index <= group.count
            ? digits[Int(number >> (18 - 6 * UInt32(index)) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
