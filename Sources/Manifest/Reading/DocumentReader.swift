internal import AppCore
internal import Diagnostics

/// Reads one document's tree into the manifest.
///
/// References stay unresolved: their targets may be in a file that is read later. Each part of the
/// grammar is read by an extension in its own file.
struct DocumentReader {
  /// The tree that is read.
  let tree: Tree

  /// The folder of the file: the value of `$dir` and the base of relative paths.
  let folder: String

  /// Whether this is the first file: only there are keys allowed that concern the whole app.
  let isFirst: Bool

  /// Everything that has been read, including from earlier files.
  var draft: Draft

  /// The last position inside a scalar, from which the next column is counted.
  var cursor = ScalarCursor()

  /// The unknown keys of this document with the keys that were probably meant.
  var misspelt: [(mapping: Int, key: Int, nearest: String)] = []

  /// Reads the whole document.
  mutating func readDocument() {
    let place = isFirst ? "the manifest" : "the included manifest"
    guard expectMapping(0, "a manifest") else { return }
    var hasVersion = false
    for (key, value) in tree.pairs(of: 0) where !tree.bytes(key).starts(with: "x-".utf8) {
      guard let keyword = keyword(of: key, in: 0, place: place, Self.allowed) else { continue }
      if !isFirst, Self.firstOnly.contains(keyword) {
        report(.misplacedKey(keyword.rawValue), at: key)
        continue
      }
      switch keyword {
      case .appcore:
        hasVersion = true
        readVersion(value)
      case .name: draft.manifest.name = text(value, "'name'")
      case .title: draft.manifest.title = text(value, "'title'")
      case .version: readAppVersion(value)
      case .requires: readRequirements(value)
      case .vars: readVariables(value, key: key)
      case .include: readIncludes(value)
      case .plugins: readPlugins(value)
      case .start:
        draft.hasStart = true
        draft.manifest.start = nodeName(value, behind: "start")
      case .nodes: readNodes(value)
      case .routes: readRoutes(value)
      case .links: readLinks(value)
      case .background:
        draft.manifest.background += nodeUses(
          value, subject: "'background'", scope: ExpressionScope(hasPayload: false))
      case .session: readSession(value)
      default: break
      }
    }
    // The unreadable part may define names that the rest uses.
    if tree.hasRefusedKey(0) { draft.isIncomplete = true }
    if !hasVersion { missing(.appcore, in: place, at: 0) }
    if isFirst, !draft.hasStart { missing(.start, in: place, at: 0) }
  }

  private static let allowed = Grammar.manifest.keywords
  private static let firstOnly: Set<Keyword> = [
    .name, .title, .version, .requires, .start, .vars, .session,
  ]

  private mutating func readVersion(_ value: Int) {
    guard tree.entries[value].kind == .scalar else {
      _ = word(value, "'appcore'")
      return
    }
    let scalar = Scalar(text: tree.string(value), isPlain: tree.entries[value].isPlain)
    if !scalar.isPlain, scalar.text == "1" {
      report(.quotedVersion, at: value)
    } else if scalar.int != 1 {
      report(.unsupportedVersion(scalar.text), at: value)
    }
  }

  private mutating func readAppVersion(_ value: Int) {
    guard let version = text(value, "'version'") else { return }
    guard VersionRequirement.isVersion(version.value) else {
      report(
        .wrongShape(
          subject: "'version'", expected: "numbers such as 1.4.0",
          found: "'\(Wording.printable(version.value))'"), at: value)
      return
    }
    draft.manifest.version = version
  }

  private mutating func readRequirements(_ value: Int) {
    guard expectMapping(value, "'requires'") else { return }
    for (key, versions) in tree.pairs(of: value) {
      switch keyword(
        of: key, in: value, place: Grammar.requirements.place, Grammar.requirements.keywords)
      {
      case .appcore:
        guard let requirement = readVersionRequirement(versions, "'appcore'") else { break }
        draft.manifest.requirement = requirement
        if requirement.value.allows(SDK.version) != true {
          report(.unmetRequirement(requirement.value.text, found: SDK.version), at: versions)
        }
      default: break
      }
    }
  }

  private mutating func readSession(_ value: Int) {
    guard expectMapping(value, "'session'") else { return }
    for (key, choice) in tree.pairs(of: value) {
      switch keyword(of: key, in: value, place: "the session", Grammar.session.keywords) {
      case .keep: draft.manifest.keeping = self.choice(choice, .keep, of: Manifest.Keeping.self)
      default: break
      }
    }
  }

  private mutating func readIncludes(_ value: Int) {
    for element in list(value, "'include'", of: [.scalar]) {
      if let path = word(element, "an entry of 'include'") { draft.includes.append(path) }
    }
  }
}

/// The manifest as it has been read so far, and what the checks need besides.
struct Draft {
  var manifest = Manifest()
  var problems: [Diagnostic] = []
  var suggestions = Suggestions()
  /// Counts the steps of the checks.
  let counter = StepCounter()

  /// The includes of the file that is being read.
  var includes: [Located<String>] = []
  var hasStart = false
  /// The place of the key `vars`.
  var variablesKey: SourceRange?
  /// The uses of variables, with their places.
  var variableUses: [Located<String>] = []
  /// Whether a file or a whole section could not be read, which may define or use names.
  var isIncomplete = false
  /// Whether the definition of a node was skipped.
  var hasUnreadNodes = false
  /// Whether the definition of a variable was skipped.
  var hasUnreadVariables = false
}
