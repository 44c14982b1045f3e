/// The keys of the grammar, place by place: those that the reader accepts.
///
/// What each means, and its shape, is in the JSON Schema for editors, `schema/appcore-1.json`; a test
/// compares the two.
public struct Grammar: Sendable {
  /// The owner of these keys, as messages call it.
  let place: String
  /// The keys, in the order in which they are listed.
  let keywords: [Keyword]
  let requiredKeywords: [Keyword]

  private init(_ place: String, required: [Keyword] = [], _ keywords: [Keyword]) {
    self.place = place
    self.keywords = keywords
    requiredKeywords = required
  }

  static let all = [
    manifest, variable, plugin, node, nodeUse, route, step, link, session, requirements,
    theme,
  ]

  /// A manifest's first level; keys that concern the whole app are allowed only in the first file.
  static let manifest = Grammar(
    "the manifest", required: [.appcore],
    [
      .appcore, .name, .title, .version, .requires, .vars, .include, .plugins, .start, .nodes,
      .background, .routes, .links, .session, .display, .theme, .commands,
    ])

  static let requirements = Grammar("what the app needs", [.appcore])

  /// The settings that say what is kept of a running app.
  static let session = Grammar("the session", [.keep])

  /// The roles whose colors the app chooses.
  static let theme = Grammar(
    "the theme",
    [
      .title, .accent, .secondary, .success, .warning, .error, .focus, .selection, .disabled,
      .border,
    ])

  static let variable = Grammar("a variable", [.default, .env])

  /// A plugin, unless it is only named.
  static let plugin = Grammar("a plugin", [.name, .path, .version, .load, .with])

  static let node = Grammar(
    "a node", [.feature, .tabs, .title, .with, .maxDepth, .was, .background])

  /// A tab or a background instance, unless the node is only named.
  static let nodeUse = Grammar("a use of a node", required: [.node], [.node, .with])

  /// A verb with its options, under `do` and in a link.
  static let step = Grammar("a step", verbs + options)

  static let route = Grammar(
    "a route", required: [.from, .action], [.from, .action, .do] + verbs + options)

  static let link = Grammar("a link", required: [.path, .open], [.path, .open, .needs])

  private static let verbs: [Keyword] = [
    .push, .present, .replace, .select, .popTo, .reset, .notify,
  ]
  private static let options: [Keyword] = [.with, .as, .toAll, .inclusive, .singleTop, .ifCovered]

  /// Whether a text can name a node: a lowercase letter, then letters, digits and `-`.
  static func isNodeName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return name.utf8.allSatisfy { $0 < 0x80 && isInVariableName($0) && $0 != UInt8(ascii: "_") }
  }

  /// The words that can't be names of nodes: the sources, receivers and targets of routes, and the
  /// verbs.
  static let reserved = Set(["any", "root"] + receivers + Verb.allCases.map(\.rawValue))

  /// Whether a reference can spell the name of a variable: a letter or `_`, then letters, digits,
  /// `_` and `-`.
  static func isVariableName(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-") else {
      return false
    }
    return name.allSatisfy(isInVariableName)
  }

  /// Whether the name of a variable may contain a byte; every non-ASCII character is allowed.
  static func isInVariableName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  /// The syntax of a feature's full name, as a regular expression.
  package static let featurePattern = "^\(identifier)\\.\(identifier)$"
  private static let identifier =
    #"[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_\u0080-\uFFFF]*"#
  /// Whether a text can be the name of a Swift type; every non-ASCII character is accepted.
  static func isIdentifier(_ text: Substring) -> Bool {
    isVariableName(text.utf8) && !text.utf8.contains(UInt8(ascii: "-"))
  }

  /// The reserved words that `notify` accepts in place of a node.
  static let receivers = ["current", "presenter", "opener"]
  /// The verbs that may be a step of a link.
  static let linkVerbs: [Verb] = [.push, .present, .select]
}

/// The keys of the grammar.
enum Keyword: String, CaseIterable, Sendable {
  case appcore, name, title, vars, include, plugins, start, nodes, routes, links, background
  case session, requires, display, commands, theme
  case `default`, env
  case path, version, load, with
  case feature, tabs, maxDepth, was, node
  case from, action, `do`
  case push, present, replace, select, popTo, reset, notify, back, dismiss, quit, ignore
  case `as`, toAll, inclusive, singleTop, ifCovered
  case open, needs
  case keep
  case accent, secondary, success, warning, error, focus, selection, disabled, border

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let keyword = Self.named[String(decoding: bytes, as: UTF8.self)] else { return nil }
    self = keyword
  }

  /// The verb with the same name; `nil` if there is none.
  var verb: Verb? { Self.verbs[self] }

  // `init(rawValue:)` compares with one case after another, for each key of a manifest.
  private static let named = Dictionary(
    uniqueKeysWithValues: Self.allCases.map { ($0.rawValue, $0) })
  private static let verbs = Dictionary(
    uniqueKeysWithValues: Verb.allCases.compactMap { verb in
      Self.named[verb.rawValue].map { ($0, verb) }
    })
}
