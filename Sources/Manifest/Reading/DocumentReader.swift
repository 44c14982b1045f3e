internal import AppCore
internal import Support

/// Reads one document's tree into the manifest.
///
/// References stay unresolved: their targets may be in a file that is read later. Each part of the
/// grammar is read by an extension in its own file.
struct DocumentReader {
  let tree: Tree
  /// The folder of the file: the value of `$dir`, made absolute, and the base of relative paths.
  let folder: String
  /// The folders that `$data` and `~` stand for.
  let folders: AppFolders
  /// Whether this is the first file: only there are keys allowed that concern the whole app.
  let isFirst: Bool
  /// Everything that has been read, including from earlier files.
  var result: ParseResult
  /// The files that this one includes.
  var includes: [Located<String>] = []
  /// Whether they are one path instead of a list, which is reported.
  var hasLoneInclude = false
  /// The unknown keys of this document with the keys that were probably meant.
  var misspelt: [(mapping: Int, key: Int, nearest: String)] = []
  /// The last key without a value whose value was probably not indented, and whether that is
  /// reported.
  var emptied: (mapping: Int, key: String, isReported: Bool)?
  /// The values that are empty because of that.
  var skipped: Set<Int> = []

  mutating func readDocument() {
    let place = isFirst ? "the manifest" : "the included manifest"
    guard expectMapping(0, "a manifest") else { return }
    var hasVersion = false
    readName()
    for (key, value) in tree.pairs(of: 0) where !tree.bytes(key).starts(with: "x-".utf8) {
      guard let keyword = keyword(of: key, in: 0, place: place, Self.allowed) else {
        // Its indentation may be wrong.
        if tree.entries[value].kind == .mapping { result.strayKeys.insert(tree.string(key)) }
        continue
      }
      if !isFirst, Self.firstOnly.contains(keyword) {
        report(
          .misplacedKey, at: key,
          "'\(keyword.rawValue)' belongs in the first manifest, not in an included one")
        continue
      }
      let field = Fields.Field(keyword: keyword, key: key, value: value)
      switch keyword {
      case .appcore:
        hasVersion = true
        readVersion(value)
      case .title: result.manifest.title = text(value, "'title'")
      case .version: readAppVersion(value)
      case .requires: readRequirements(value)
      case .vars: readVariables(value, key: key)
      case .include: readIncludes(value)
      case .plugins: readPlugins(value)
      case .start:
        result.hasStart = true
        result.manifest.start = nodeName(value, after: "start")
      case .nodes: readNodes(value)
      case .routes: readRoutes(value)
      case .links: readLinks(value)
      case .background:
        result.manifest.background += nodeUses(value, subject: "'background'", hasPayload: false)
      case .session: readSession(value)
      case .display: result.manifest.display = choice(field, of: Manifest.Display.self)
      case .theme: readTheme(value)
      case .commands: result.manifest.commands = choice(field, of: Manifest.Commands.self)
      default: break
      }
    }
    // What a merge key or a second `include` stands for may define names that the rest uses.
    if tree.hasRefusedKey(0, besides: Self.allowed.filter { $0 != .include }) {
      result.isIncomplete = true
    }
    if !hasVersion { missing(.appcore, in: place, at: 0) }
    if isFirst, !result.hasStart { missing(.start, in: place, at: 0) }
    findGaps()
  }

  private static let allowed = Grammar.manifest.keywords
  private static let firstOnly: Set<Keyword> = [
    .name, .title, .version, .requires, .start, .vars, .session, .display,
    .theme, .commands,
  ]

  /// Reads `name`, before all else, since `$data` needs it wherever it is written.
  private mutating func readName() {
    for (key, value) in tree.pairs(of: 0) where isFirst && tree.string(key) == "name" {
      result.manifest.name = text(value, "'name'")
    }
  }

  private mutating func readVersion(_ value: Int) {
    guard tree.entries[value].kind == .scalar else {
      _ = word(value, "'appcore'")
      return
    }
    let scalar = scalar(value)
    if !scalar.isPlain, scalar.text == "1" {
      report(
        .wrongShape, at: value, "'appcore' must be the number 1, without quotes, not '1'",
        correction: .init("\"1\"", "1", isSource: true))
    } else if scalar.int != 1 {
      report(
        .unsupportedVersion, at: value,
        "format version \(quote(scalar.text)) is not known; this program reads version 1")
    }
  }

  private mutating func readAppVersion(_ value: Int) {
    guard let version = text(value, "'version'") else { return }
    guard VersionRequirement.isVersion(version.value) else {
      wrongShape(value, "'version'", expected: "numbers such as 1.4.0", quote(version.value))
      return
    }
    result.manifest.version = version
  }

  private mutating func readRequirements(_ value: Int) {
    guard expectMapping(value, "'requires'") else { return }
    guard let versions = fields(of: value, .requirements)[.appcore]?.value,
      let requirement = readVersionRequirement(versions, "'appcore'")
    else { return }
    result.manifest.requirement = requirement
    guard requirement.value.allows(SDK.version) != true else { return }
    report(
      .unmetRequirement, at: versions,
      "the app needs appcore \(quote(requirement.value.text)), and this is \(quote(SDK.version))")
  }

  private mutating func readSession(_ value: Int) {
    guard expectMapping(value, "'session'") else { return }
    result.manifest.keeping = fields(of: value, .session)[.keep].flatMap {
      choice($0, of: Manifest.Keeping.self)
    }
  }

  private mutating func readTheme(_ value: Int) {
    guard expectMapping(value, "'theme'") else { return }
    for field in fields(of: value, .theme).all {
      let key = field.keyword.rawValue
      guard tree.entries[field.value].kind == .scalar, !isNull(field.value) else {
        wrongShape(field.value, "'\(key)'", expected: "a color, in quotes if it begins with '#'")
        continue
      }
      let text = tree.string(field.value)
      if let color = TerminalColor(text) {
        if let role = Role(rawValue: key) { result.manifest.theme.colors[role] = color }
        continue
      }
      let names = TerminalColor.names
      let nearest = result.suggestions.nearest(to: text, among: names)
      report(
        .unknownValue, at: field.value,
        "\(quote(text)) is not a color"
          + (text.hasPrefix("#")
            ? "; '#' and six hexadecimal digits are, such as \"#1e90ff\""
            : Wording.hint(nearest, names + ["#rrggbb"])),
        correction: .init(text, nearest))
    }
  }

  private mutating func readIncludes(_ value: Int) {
    hasLoneInclude = tree.entries[value].kind != .sequence
    for element in list(value, "'include'", of: [.scalar]) {
      if let path = path(element, "an entry of 'include'") {
        includes.append(path)
      } else {
        result.isIncomplete = true
      }
    }
  }
}

/// The manifest as it has been read so far, and what the checks need besides.
struct ParseResult: DiagnosticCollector {
  var manifest = Manifest()
  var problems: [Diagnostic] = []
  var suggestions = Suggestions()
  var hasStart = false
  var variablesKey: SourceRange?
  var variableUses: [Located<String>] = []
  /// The keys of the first level that may be nodes at the wrong indentation; they are reported.
  var strayKeys: Set<String> = []
  /// The texts that look like references and are none, with the places of their scalars; sorted by
  /// place once all files are read.
  var badReferences: [Located<String>] = []
  /// Searches for names among the words of those texts.
  private var comparisons = Suggestions()
  /// Whether a file or a whole section could not be read, which may define or use names.
  var isIncomplete = false
  /// The parts of the manifest in which something was left out.
  var gaps: ManifestGaps = []
  /// Whether the definition of a node was skipped.
  var hasUnreadNodes = false
  /// Whether the definition of a variable was skipped.
  var hasUnreadVariables = false

  /// The words of the texts that are no references, within some range.
  func badReferenceWords(within range: SourceRange? = nil) -> Set<String> {
    var texts = badReferences[...]
    if let range {
      let first = texts.partitioningIndex {
        ($0.range.file, $0.range.start) >= (range.file, range.start)
      }
      texts = texts[first...].prefix { $0.range.file == range.file && $0.range.start <= range.end }
      texts = texts.filter { $0.range.end <= range.end }[...]
    }
    return Set(
      texts.flatMap { text in
        text.value.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
          .map(String.init)
      })
  }

  /// Whether one of the words of texts that are no references may have been meant for a name.
  mutating func mayRefer(to name: String, among words: Set<String>) -> Bool {
    words.contains(name) || comparisons.nearest(to: name, among: words) != nil
  }

  /// Reports `$data` or `~`, if the environment does not name the folder.
  mutating func reportUnknownFolder(_ text: String, at range: SourceRange) {
    let names = text == "~" ? "HOME" : "STATE_DIRECTORY, XDG_DATA_HOME or HOME"
    report(
      .noFolder, at: range, "\(quote(text)) is not known here; set \(names) to an absolute path")
  }
}

/// The parts of a manifest in which something was left out because of a reported problem.
///
/// What is missing there may have been left out, so that nothing is reported for it.
public struct ManifestGaps: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let plugins = ManifestGaps(rawValue: 1)
  /// What some nodes are.
  public static let nodes = ManifestGaps(rawValue: 2)
  /// Which actions have a route.
  public static let routes = ManifestGaps(rawValue: 4)
  /// What routes and links do, and what else shows a node.
  public static let steps = ManifestGaps(rawValue: 8)
  public static let all: ManifestGaps = [.plugins, .nodes, .routes, .steps]
  /// The parts that say where instances of a node can be.
  package static let places: ManifestGaps = [.nodes, .routes, .steps]

  /// The gap that a problem in the section of a key leaves.
  fileprivate init(_ section: Keyword) {
    switch section {
    case .plugins: self = .plugins
    case .nodes: self = .nodes
    case .routes, .links, .background, .start: self = .steps
    default: self = []
    }
  }
}

extension DocumentReader {
  /// Finds in which parts the problems of this document have left gaps.
  mutating func findGaps() {
    let keys = tree.keys(of: 0)
    let known = Set(keys.compactMap { Keyword(tree.bytes(tree.resolve($0))) })
    // A key that is not known may have been meant for any that is missing.
    let absent = Self.sections.filter { !known.contains($0) }
    for problem in result.problems where problem.leavesGap && problem.range.file == tree.file {
      let start = problem.range.start
      let next = keys.partitioningIndex { tree.entries[$0].start > start }
      guard next > 0 else {
        result.gaps = .all
        continue
      }
      let key = keys[next - 1]
      let section = Keyword(tree.bytes(tree.resolve(key))).flatMap {
        Self.sections.contains($0) || $0 == .vars ? $0 : nil
      }
      if let section {
        result.gaps.formUnion(ManifestGaps(section))
        guard tree.entries[key].isRefusedKey else { continue }
        switch section {
        case .nodes: result.hasUnreadNodes = true
        case .routes: result.gaps.insert(.routes)
        case .vars: result.hasUnreadVariables = true
        default: break
        }
      } else if tree.entries[key].isRefusedKey || tree.bytes(key).starts(with: "x-".utf8) {
        result.gaps = .all
      } else if tree.entries[key].start == start {
        for section in absent {
          result.gaps.formUnion(ManifestGaps(section))
          if section == .routes { result.gaps.insert(.routes) }
        }
      }
    }
  }

  /// The keys whose values define and use names.
  private static let sections: [Keyword] = [
    .plugins, .nodes, .routes, .links, .background, .start,
  ]
}
