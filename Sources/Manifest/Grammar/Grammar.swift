/// The keys of the grammar, place by place: those that the reader accepts and that editors offer.
///
/// The reader and the JSON Schema use the same tables, so the two can't disagree.
public struct Grammar: Sendable {
  /// One key and its meaning.
  public struct Key: Sendable {
    let keyword: Keyword
    /// The key's meaning, in a sentence.
    public let summary: String

    /// The key as it is written.
    public var name: String { keyword.rawValue }
  }

  /// The owner of these keys, as messages call it.
  public let place: String
  /// The keys, in the order in which they are listed.
  public let keys: [Key]
  /// The same keys, as the reader lists them.
  let keywords: [Keyword]
  let requiredKeywords: [Keyword]

  public var required: [String] { requiredKeywords.map(\.rawValue) }

  private init(_ place: String, required: [Keyword] = [], _ keys: [(Keyword, String)]) {
    self.place = place
    self.keys = keys.map { Key(keyword: $0, summary: $1) }
    keywords = keys.map(\.0)
    requiredKeywords = required
  }

  public static let all = [
    manifest, variable, plugin, node, nodeUse, route, step, link, session, requirements,
  ]
}

extension Grammar {
  /// A manifest's first level; keys that concern the whole app are allowed only in the first file.
  public static let manifest = Grammar(
    "the manifest", required: [.appcore],
    [
      (.appcore, "The version of the format: 1."),
      (.name, "The app's name. Only in the first manifest."),
      (.title, "What people call the app. Only in the first manifest."),
      (.version, "The app's version, such as 1.4.0. Only in the first manifest."),
      (.requires, "What the app needs. Only in the first manifest."),
      (
        .vars,
        "Values that --set name=value, else the environment, else the default gives. Only in the "
          + "first manifest."
      ),
      (.include, "Other manifests, whose plugins, nodes, routes and links are added."),
      (.plugins, "The plugins whose features the nodes use."),
      (.start, "The node that the app begins with. Only in the first manifest."),
      (.nodes, "The places of the app: each binds a feature, or is a container of tabs."),
      (.background, "Nodes without a screen whose instances live as long as the app."),
      (.routes, "What happens for the delegate actions of each node."),
      (.links, "Addresses that open a place."),
      (.session, "What of a running app is kept. Only in the first manifest."),
      (
        .display,
        "How the app is shown on a terminal: as lines, or full screen. Only in the first manifest."
      ),
      (
        .commands,
        "Which commands people may type: controls and paging alone (none), those of users (user), "
          + "or all. Only in the first manifest."
      ),
    ])

  public static let requirements = Grammar(
    "what the app needs",
    [(.appcore, "The versions of appcore that will do, quoted, as in \">=0.2 <1\".")])

  /// The settings that say what is kept of a running app.
  public static let session = Grammar(
    "the session",
    [
      (
        .keep,
        "How a running app is kept: not at all (none), for a crash (memory), or also in a file (disk)."
      )
    ])

  public static let variable = Grammar(
    "a variable",
    [
      (.default, "The value where neither --set nor the environment gives one: a literal."),
      (.env, "The environment variable that may give the value."),
    ])

  /// A plugin, unless it is only named.
  public static let plugin = Grammar(
    "a plugin",
    [
      (.name, "The plugin's name: libName.so on the plugin path."),
      (
        .path,
        "The plugin's file, or the folder of its sources, relative to the folder of this manifest."
      ),
      (.version, "The versions that will do, quoted, as in \">=1.0 <2\"."),
      (.load, "When its code is loaded: lazy, when the first node needs it, or eager."),
      (.with, "The plugin's own configuration."),
    ])

  public static let node = Grammar(
    "a node",
    [
      (.feature, "The feature that the node shows, as Plugin.Feature."),
      (.tabs, "The nodes that this container shows one at a time."),
      (.title, "What tabs, breadcrumb and graph call the node."),
      (.with, "The default arguments; a route's own are laid over them, field by field."),
      (.maxDepth, "How many instances of the node one stack may hold."),
      (.was, "What the node was called in earlier versions: a name, or a list of names."),
      (.background, "Nodes without a screen whose instances live as long as the container."),
    ])

  /// A tab or a background instance, unless the node is only named.
  public static let nodeUse = Grammar(
    "a use of a node", required: [.node],
    [
      (.node, "The node."),
      (.with, "Its arguments; $ is what the container was given."),
    ])

  /// A verb with its options, under `do` and in a link.
  public static let step = Grammar("a step", verbs + options)

  public static let route = Grammar(
    "a route", required: [.from, .action],
    [
      (.from, "The node whose feature emits the action, a list of nodes, or any."),
      (.action, "The delegate action, or a list of them."),
      (.do, "What happens, as one step: a word, a verb with its options, or a list of both."),
    ] + verbs + options)

  public static let link = Grammar(
    "a link", required: [.path, .open],
    [
      (.path, "The address, as device/{id}?tag={tag}; $.id is then the parameter."),
      (
        .open,
        "The steps from an empty app; a bare node is pushed, or selected after its container."
      ),
      (.needs, "The link waits until an instance of this node lives."),
    ])

  private static let verbs: [(Keyword, String)] = [
    (.push, "Puts an instance of the node on top of the stack."),
    (.present, "Opens an instance of the node as a dialog over the current one."),
    (.replace, "Puts an instance of the node in the place of the one that emitted."),
    (.select, "Selects the node's tab in the nearest container that has it."),
    (.popTo, "Removes everything above the nearest instance of the node; root is the stack's."),
    (.reset, "Removes everything and begins again with the node."),
    (.notify, "Sends an input action to a node, or to presenter, opener or current."),
  ]

  private static let options: [(Keyword, String)] = [
    (.with, "The arguments or the payload; $ is the payload of the delegate action."),
    (.as, "The receiver's input action; without it the delegate action's own name."),
    (
      .toAll,
      "Whether notify reaches every living instance of its node, oldest first, not the nearest alone."
    ),
    (.inclusive, "Whether popTo removes its target too."),
    (.singleTop, "Whether a push onto an instance with equal arguments changes nothing."),
    (
      .ifCovered,
      "What an entering verb does when its emitter is not in front: refuse, cut or over."
    ),
  ]

  /// The options that a verb accepts, in the order of the grammar.
  public static func options(of verb: Verb) -> [String] { verb.options.map(\.rawValue) }

  /// What a verb does, in a sentence for people; also for the bare words of `do`.
  public static func summary(of verb: Verb) -> String {
    switch verb {
    case .back: "Removes the first entry that has one beneath it, or closes the dialog."
    case .dismiss: "Closes the dialog."
    case .ignore: "Does nothing, on purpose."
    default: step.keys.first { $0.name == verb.rawValue }?.summary ?? ""
    }
  }
}

extension Grammar {
  /// The syntax of a node's name, as a regular expression.
  public static let nodeNamePattern = "^[a-z][A-Za-z0-9-]*$"
  /// Whether a text matches ``nodeNamePattern``.
  static func isNodeName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return name.utf8.allSatisfy { $0 < 0x80 && isInVariableName($0) && $0 != UInt8(ascii: "_") }
  }

  /// The words that can't be names of nodes: the sources, receivers and targets of routes, and the
  /// verbs.
  static let reserved = Set(["any", "root"] + receivers + Verb.allCases.map(\.rawValue))
  public static var reservedNames: [String] { reserved.sorted() }
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
  public static let featurePattern = "^\(identifier)\\.\(identifier)$"
  /// The syntax of a plugin's name, as a regular expression.
  public static let pluginPattern = "^\(identifier)$"
  private static let identifier =
    #"[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_\u0080-\uFFFF]*"#
  /// Whether a text can be the name of a Swift type; every non-ASCII character is accepted.
  static func isIdentifier(_ text: Substring) -> Bool {
    isVariableName(text.utf8) && !text.utf8.contains(UInt8(ascii: "-"))
  }

  /// The syntax of a reference, which is allowed in place of a value of any type.
  public static let referencePattern = "^\\$(\\.[^.\\s]+|$|vars\\.[^.\\s]+$|dir$|data$)"
  /// The reserved words that `notify` accepts in place of a node.
  public static let receivers = ["current", "presenter", "opener"]
  /// The verbs that may be a step of a link.
  public static let linkVerbs: [Verb] = [.push, .present, .select]
}

/// The keys of the grammar.
enum Keyword: String, CaseIterable, Sendable {
  case appcore, name, title, vars, include, plugins, start, nodes, routes, links, background
  case session, requires, display, commands
  case `default`, env
  case path, version, load, with
  case feature, tabs, maxDepth, was, node
  case from, action, `do`
  case push, present, replace, select, popTo, reset, notify, back, dismiss, ignore
  case `as`, toAll, inclusive, singleTop, ifCovered
  case open, needs
  case keep

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let keyword = Self.named[String(decoding: bytes, as: UTF8.self)] else { return nil }
    self = keyword
  }

  /// The verb with the same name; `nil` if there is none.
  var verb: Verb? { Verb(rawValue: rawValue) }

  // `init(rawValue:)` compares with one case after another.
  private static let named = Dictionary(
    uniqueKeysWithValues: Self.allCases.map { ($0.rawValue, $0) })
}
