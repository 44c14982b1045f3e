internal import AppCore
internal import Support

/// Reads one document's tree into the manifest.
///
/// References stay unresolved: their targets may be in a file that is read later. Each part of the
/// grammar is read by an extension in its own file.
struct DocumentReader {
  /// The tree that is read.
  let tree: Tree

  /// The folder of the file: the value of `$dir`, made absolute, and the base of relative paths.
  let folder: String

  /// The folders that `$data` and `~` stand for.
  let folders: AppFolders

  /// Whether this is the first file: only there are keys allowed that concern the whole app.
  let isFirst: Bool

  /// Everything that has been read, including from earlier files.
  var draft: Draft

  /// The last position inside a scalar, from which the next column is counted.
  var cursor = ScalarCursor()

  /// The unknown keys of this document with the keys that were probably meant.
  var misspelt: [(mapping: Int, key: Int, nearest: String)] = []

  /// The last key without a value whose value was probably not indented, and whether that is
  /// reported.
  var emptied: (mapping: Int, key: String, isReported: Bool)?

  /// The values that are empty because of that.
  var skipped: Set<Int> = []

  /// Reads the whole document.
  mutating func readDocument() {
    let place = isFirst ? "the manifest" : "the included manifest"
    guard expectMapping(0, "a manifest") else { return }
    var hasVersion = false
    readName()
    for (key, value) in tree.pairs(of: 0) where !tree.bytes(key).starts(with: "x-".utf8) {
      guard let keyword = keyword(of: key, in: 0, place: place, Self.allowed) else {
        // Its indentation may be wrong.
        if tree.entries[value].kind == .mapping { draft.strayKeys.insert(tree.string(key)) }
        continue
      }
      if !isFirst, Self.firstOnly.contains(keyword) {
        report(.misplacedKey(keyword.rawValue), at: key)
        continue
      }
      switch keyword {
      case .appcore:
        hasVersion = true
        readVersion(value)
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
    // What a merge key or a second `include` stands for may define names that the rest uses.
    if tree.refusesKey(of: 0, besides: Self.allowed.filter { $0 != .include }) {
      draft.isIncomplete = true
    }
    if !hasVersion { missing(.appcore, in: place, at: 0) }
    if isFirst, !draft.hasStart { missing(.start, in: place, at: 0) }
    findGaps()
  }

  private static let allowed = Grammar.manifest.keywords
  private static let firstOnly: Set<Keyword> = [
    .name, .title, .version, .requires, .start, .vars, .session,
  ]

  /// Reads `name`, before all else, since `$data` needs it wherever it is written.
  private mutating func readName() {
    for (key, value) in tree.pairs(of: 0) where isFirst && tree.string(key) == "name" {
      draft.manifest.name = text(value, "'name'")
    }
  }

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
    draft.hasLoneInclude = tree.entries[value].kind != .sequence
    for element in list(value, "'include'", of: [.scalar]) {
      if let path = path(element, "an entry of 'include'") {
        draft.includes.append(path)
      } else {
        draft.isIncomplete = true
      }
    }
  }
}

extension Draft {
  /// Whether a text that is no reference may have been meant for a name, within some range.
  func mayRefer(to name: String, within range: SourceRange? = nil) -> Bool {
    badReferences.contains { bad in
      let isThere =
        range.map {
          bad.range.file == $0.file && $0.start <= bad.range.start
            && bad.range.end <= $0.end
        } ?? true
      let words = bad.value.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
      return isThere
        && words.contains { $0 == name || NearestName.of(String($0), among: [name]) != nil }
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
  /// Whether they are one path instead of a list, which is reported.
  var hasLoneInclude = false
  var hasStart = false
  /// The place of the key `vars`.
  var variablesKey: SourceRange?
  /// The uses of variables, with their places.
  var variableUses: [Located<String>] = []
  /// The keys of the first level that may be nodes at the wrong indentation; they are reported.
  var strayKeys: Set<String> = []
  /// The texts that look like references and are none, with the places of their scalars.
  var badReferences: [Located<String>] = []
  /// Whether a file or a whole section could not be read, which may define or use names.
  var isIncomplete = false
  /// The parts of the manifest in which something was left out.
  var gaps: ManifestGaps = []
  /// Whether the definition of a node was skipped.
  var hasUnreadNodes = false
  /// Whether the definition of a variable was skipped.
  var hasUnreadVariables = false
}
