internal import AppCheck
internal import Manifest
internal import Support

/// The parts of a manifest as texts, for comparing two versions of it.
struct ManifestText {
  let nodes: [String: String]
  /// The routes, each with its source nodes and actions as title, such as `from list, selected`.
  let routes: [(title: String, text: String)]
  let links: [String: String]
  /// The plugins' configurations, by the plugins' names.
  let configurations: [String: String]
  /// When each plugin is loaded and which versions are accepted, by the plugins' names.
  let plugins: [String: [String]]
  let variables: [String: String]
  /// The start node, background, session, title and requirement, by the keys of the manifest.
  let others: [String: String]
  /// The former names of each node, by its current name.
  let formerNames: [String: [String]]

  init(_ report: ManifestReport) {
    guard let manifest = report.manifest else {
      (nodes, routes, links, configurations, others, formerNames) = ([:], [], [:], [:], [:], [:])
      (plugins, variables) = ([:], [:])
      return
    }
    func text(_ range: SourceRange) -> String { Self.text(of: range, in: report.sources) }
    func dictionary<Text>(_ pairs: [(String, Text)]) -> [String: Text] {
      Dictionary(pairs) { first, _ in first }
    }
    nodes = dictionary(manifest.nodes.map { ($0.name.value, text($0.range)) })
    routes = manifest.routes.map { route in
      let names = route.sources.map(\.name)
      return (
        "from \(names.isEmpty ? "any" : names.joined(separator: ", ")), "
          + route.actions.map(\.value).joined(separator: ", "), text(route.range)
      )
    }
    links = dictionary(manifest.links.map { ($0.path.text, text($0.range)) })
    configurations = dictionary(
      zip(manifest.plugins, report.plugins.names).compactMap { plugin, name in
        guard let name, let with = plugin.with else { return nil }
        return (name, text(with.range))
      })
    plugins = dictionary(
      zip(manifest.plugins, report.plugins.names).compactMap { plugin, name in
        guard let name else { return nil }
        let version = plugin.version.map { "version: \(text($0.range))" }
        return (
          name, [version, plugin.load.map { "load: \($0.value.rawValue)" }].compactMap(\.self)
        )
      })
    variables = dictionary(
      manifest.variables.map { variable in
        let parts = [variable.environment?.value, variable.value.map { text($0.range) }]
        return (variable.name.value, parts.compactMap(\.self).joined(separator: " "))
      })
    var others: [String: String] = [:]
    others["start"] = manifest.start?.name
    if !manifest.background.isEmpty {
      others["background"] = manifest.background.map { text($0.range) }.joined(separator: ", ")
    }
    others["session"] = manifest.keeping?.value.rawValue
    others["title"] = manifest.title?.value
    others["requires"] = manifest.requirement.map { text($0.range) }
    self.others = others
    formerNames = dictionary(
      manifest.nodes.map { ($0.name.value, $0.formerNames.map(\.value)) })
  }

  /// A node's text without its former names, for comparing it with that of the node that it was.
  static func withoutFormerNames(_ node: String) -> String {
    node.replacing(#/\bwas: *(\[[^\]]*\]|[^\s,}]+) *,? */#, with: "")
      .replacing(#/,? *}/#, with: " }").replacing(#/{ */#, with: "{ ")
  }

  /// The text of a range on one line: as a value in braces or, if it can't be read alone, as it is
  /// written, without comments and with each run of whitespace as one space.
  private static func text(of range: SourceRange, in sources: SourceMap) -> String {
    guard sources.files.indices.contains(range.file) else { return "" }
    let source = sources.files[range.file]
    if let text = FlowText.of(range, in: source) { return text }
    let (start, end) = (source.byte(at: range.start), source.byte(at: range.end))
    guard start < end else { return "" }
    let lines = String(decoding: source.bytes[start..<end], as: UTF8.self).split(separator: "\n")
    return lines.map(withoutComment).joined(separator: " ")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A line without its comment: the part before a `#` that follows whitespace outside of quotes.
  ///
  /// Lines are scanned separately, so the result can be wrong if a quoted text spans several lines.
  private static func withoutComment(_ line: Substring) -> Substring {
    var quote: Character?
    var last: Character = " "
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open, open == "'" || last != "\\" { quote = nil }
      } else if (character == "\"" || character == "'") && !last.isLetter && !last.isNumber {
        quote = character
      } else if character == "#", last.isWhitespace {
        return line[..<index]
      }
      last = character
    }
    return line
  }
}
