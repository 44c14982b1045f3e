internal import AppCheck
internal import Manifest
internal import Support

/// The parts of a manifest as texts, for comparing two versions of it.
struct ManifestText {
  /// The texts of parts by their names, by their subjects; what a manifest has only once has an empty
  /// name.
  private(set) var parts: [String: [String: String]] = [:]
  /// The subjects in the order in which they are printed.
  static let subjects = [
    "configuration", "node", "route", "link", "variable", "background", "requires", "session",
    "start", "title",
  ]
  /// The routes, each with its source nodes and actions as title, such as `from list, selected`.
  private(set) var routes: [(title: String, text: String)] = []
  /// When each plugin is loaded and which versions are accepted, by the plugins' names.
  private(set) var plugins: [String: [String]] = [:]
  /// The former names of each node, by its current name.
  private(set) var formerNames: [String: [String]] = [:]

  init(_ report: ManifestReport) {
    guard let manifest = report.manifest else { return }
    func text(_ range: SourceRange) -> String { Self.text(of: range, in: report.sources) }
    func add(_ subject: String, name: String = "", _ text: String?) {
      if parts[subject]?[name] == nil { parts[subject, default: [:]][name] = text }
    }
    for (plugin, name) in zip(manifest.plugins, report.plugins.names) {
      guard let name else { continue }
      add("configuration", name: name, plugin.with.map { text($0.range) })
      let version = plugin.version.map { "version: \(text($0.range))" }
      plugins[name] = [version, plugin.load.map { "load: \($0.value.rawValue)" }].compactMap(\.self)
    }
    for node in manifest.nodes {
      add("node", name: node.name.value, text(node.range))
      formerNames[node.name.value] = node.formerNames.map(\.value)
    }
    routes = manifest.routes.map { ($0.title, text($0.range)) }
    for link in manifest.links { add("link", name: link.path.text, text(link.range)) }
    for variable in manifest.variables {
      let texts = [variable.environment?.value, variable.value.map { text($0.range) }]
      add("variable", name: variable.name.value, texts.compactMap(\.self).joined(separator: " "))
    }
    let background = manifest.background.map { text($0.range) }.joined(separator: ", ")
    add("background", background.isEmpty ? nil : background)
    add("requires", manifest.requirement.map { text($0.range) })
    add("session", manifest.keeping?.value.rawValue)
    add("start", manifest.start?.name)
    add("title", manifest.title?.value)
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
