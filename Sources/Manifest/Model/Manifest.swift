public import Support

/// The contents of a manifest file and its includes, typed and with source positions.
///
/// Its life, in this order:
/// 1. ``ManifestLoader`` reads the bytes and turns libyaml's events into a tree with positions.
/// 2. The tree is read into these types; whatever breaks the grammar becomes a ``Diagnostic``.
/// 3. Names are resolved: a ``NodeReference`` has an `id` unless its node does not exist.
/// 4. The graph checks it against the features of the plugins, adds its own problems, and runs it.
///
/// Nothing here depends on features: a feature, a delegate case or an argument is only a name with
/// a position.
public struct Manifest: Sendable {
  public internal(set) var name: Located<String>?
  public internal(set) var title: Located<String>?

  public internal(set) var version: Located<String>?
  /// The versions of appcore that the app needs.
  public internal(set) var requirement: Located<VersionRequirement>?
  /// The variables, in order of definition, with their values.
  public internal(set) var variables: [Variable] = []
  /// The folders that `$dir` and `$data` stand for where they are used, by how they are written; an
  /// included file's `$dir` has the file's path after it.
  public internal(set) var folders: [String: String] = [:]
  /// The plugins, in order of definition, each once.
  public internal(set) var plugins: [Plugin] = []

  public internal(set) var start: NodeReference?
  /// Instances without a screen that live as long as the app.
  public internal(set) var background: [NodeUse] = []
  /// The nodes, in order of definition; a ``NodeID`` is an index into them.
  public internal(set) var nodes: [Node] = []
  /// The routes, in order of definition.
  public internal(set) var routes: [Route] = []
  /// The links, in order of definition.
  public internal(set) var links: [Link] = []
  /// How much of a running app is kept; `nil` if the manifest does not say.
  public internal(set) var keeping: Located<Keeping>?

  /// How much of a running app is kept.
  public enum Keeping: String, CaseIterable, Sendable {
    /// Nothing: a crash ends the app.
    case none
    /// Enough to continue after a crash.
    case memory
    /// The same, and also in a file, which survives a reboot.
    case disk
  }

  /// How the app is shown on a terminal; `nil` if the manifest does not say.
  public internal(set) var display: Located<Display>?

  /// How an app is shown on a terminal.
  public enum Display: String, CaseIterable, Sendable {
    case lines
    case fullScreen = "full-screen"
  }

  /// The colors of the app, full screen.
  package internal(set) var theme = Theme()

  /// Which commands people may type; `nil` if the manifest does not say.
  public internal(set) var commands: Located<Commands>?

  /// Which commands of the shell are allowed, from the fewest.
  public enum Commands: String, RankedCases, Sendable {
    /// Controls, going back and paging.
    case none
    /// Also those of people who use the app and don't develop it.
    case user
    case all
  }

  public internal(set) var nodeIDs: [String: NodeID] = [:]
  /// The nodes that undefined names were probably meant for; they are not reported as unreachable.
  package internal(set) var meantNodes: Set<NodeID> = []

  public subscript(id: NodeID) -> Node { nodes[id.index] }

  /// A variable, whose value comes from the command line, the environment or the manifest.
  public struct Variable: Sendable {
    /// The name, at its definition.
    public let name: Located<String>
    /// The name of the environment variable that can set the value.
    public let environment: Located<String>?

    /// The value: a literal, never a reference; `nil` if there is none, which is reported.
    ///
    /// A value from `--set` or the environment is read as the expected type. As a string it is the
    /// text itself, even if that is empty or `null`.
    /// Its place is the variable's definition.
    public internal(set) var value: Expression?
    /// The source of the value; `nil` if there is no value.
    public internal(set) var origin: Origin?

    /// The source of a variable's value; an earlier case takes precedence.
    public enum Origin: Hashable, Sendable {
      /// `--set name=value`.
      case setting
      case environment
      case `default`
    }
  }

  /// What happens when a node's feature emits a delegate action.
  public struct Route: Sendable {
    /// The nodes that it applies to; empty for `any`.
    public internal(set) var sources: [NodeReference]
    /// The place of `any`: every node whose feature has the delegate case, unless a route names the
    /// node; `nil` if the route names its nodes.
    public let any: SourceRange?
    /// The delegate actions that it handles; empty only if a problem was reported.
    public let actions: [Located<String>]
    /// The steps, in order; they are applied together, as one.
    public internal(set) var steps: [Step]
    /// The whole route.
    public let range: SourceRange
  }

  /// Calls `body` with every reference to a node, and with the reserved words that are allowed in
  /// its place.
  mutating func updateReferences(_ body: (inout NodeReference, [String]) -> Void) {
    func update(_ reference: inout NodeReference?, _ words: [String] = []) {
      guard var known = reference else { return }
      body(&known, words)
      reference = known
    }
    func update(_ uses: inout [NodeUse]) {
      for use in uses.indices { body(&uses[use].node, []) }
    }
    func update(_ steps: inout [Step]) {
      for step in steps.indices {
        let words = steps[step].verb == .notify ? Grammar.receivers : []
        update(&steps[step].target, steps[step].verb == .popTo ? ["root"] : words)
      }
    }
    update(&start)
    update(&background)
    for node in nodes.indices {
      update(&nodes[node].tabs)
      update(&nodes[node].background)
    }
    for route in routes.indices {
      for source in routes[route].sources.indices { body(&routes[route].sources[source], ["any"]) }
      update(&routes[route].steps)
    }
    for link in links.indices {
      update(&links[link].open)
      update(&links[link].needs)
    }
  }

  /// An address that opens a place in the app.
  public struct Link: Sendable {
    /// The shape of the address.
    public let path: LinkPath
    /// The steps, which begin with an empty app; a bare node has become `push` or `select`.
    public internal(set) var open: [Step]
    /// Whether every step could be read; if not, some uses of the parameters are unknown.
    let isWhole: Bool
    /// The link waits until an instance of this node lives.
    public internal(set) var needs: NodeReference?
    public let range: SourceRange
  }

  /// A place in the graph: a feature with its arguments, or a container of tabs.
  ///
  /// It is neither if its definition could not be read, which is reported.
  public struct Node: Sendable {
    /// The node's id, its index in the manifest's nodes.
    public let id: NodeID
    /// The name, at its definition.
    public let name: Located<String>
    /// The name that tabs, breadcrumb and graph show.
    public internal(set) var title: Located<String>?
    /// The feature that the node shows; `nil` for a container.
    public internal(set) var feature: FeatureReference?
    /// Whether the node holds tabs.
    public internal(set) var isContainer = false
    /// The tabs; empty for a feature.
    public internal(set) var tabs: [NodeUse] = []
    /// The container's background instances; empty for a feature.
    public internal(set) var background: [NodeUse] = []
    /// The default arguments; they can't refer to a payload.
    public internal(set) var with: Expression?
    /// The maximum number of instances in one stack.
    public internal(set) var maxDepth: Located<Int>?
    /// The node's names in earlier versions of the manifest.
    public internal(set) var formerNames: [Located<String>] = []
    /// The whole definition.
    public let range: SourceRange

    package var parts: [NodeUse] { tabs + background }

    /// Forgets what the node is, because it is not known which definition counts.
    mutating func forgetContent() {
      feature = nil
      isContainer = false
      tabs = []
      background = []
    }
  }
}

/// A node of one manifest, identified by its index.
public struct NodeID: Hashable, Sendable {
  public let index: Int

  public init(_ index: Int) { self.index = index }
}

/// A reference to a node by name.
public struct NodeReference: Hashable, Sendable {
  public let name: String
  /// Its place in the file.
  public let range: SourceRange
  /// The node; `nil` if there is none of this name.
  public internal(set) var id: NodeID?
}

/// A node as a tab or in the background, with the arguments it gets there.
public struct NodeUse: Hashable, Sendable {
  public internal(set) var node: NodeReference
  /// The arguments; in a container, `$` is what the container was given.
  public let with: Manifest.Expression?
  /// The whole entry.
  public let range: SourceRange
}

/// A feature's full name, `Plugin.Feature`, where a node names it.
public struct FeatureReference: Hashable, Sendable {
  /// The plugin's part of the name.
  public let plugin: String
  /// The feature's part of the name.
  public let feature: String
  /// The place of the full name.
  public let range: SourceRange

  /// The place of the plugin's part, if the name has no quotes.
  package var pluginRange: SourceRange {
    let column = range.start.column + plugin.unicodeScalars.count
    return SourceRange(
      file: range.file, start: range.start,
      end: SourcePosition(line: range.start.line, column: column))
  }

  /// The full name, `Plugin.Feature`.
  public var name: String { "\(plugin).\(feature)" }
}

extension Manifest {
  /// A plugin that the manifest asks for.
  public struct Plugin: Sendable {
    /// The plugin's name or path.
    public let reference: Reference
    /// The versions that are accepted; `nil` accepts any.
    public internal(set) var version: Located<VersionRequirement>?
    /// When to load it; `nil` if the manifest leaves the choice to the host.
    public internal(set) var load: Located<Loading>?
    /// The plugin's configuration, which can't refer to a payload.
    public internal(set) var with: Expression?
    /// The whole entry.
    public let range: SourceRange
    /// Where `path` and its value are written; `nil` for a plugin that is given by its name.
    package var pathEntry: (key: SourceRange, value: SourceRange)?
  }
}

extension Manifest.Plugin {
  /// How a manifest names a plugin.
  public enum Reference: Hashable, Sendable {
    /// By name: `libName.so` on the plugin path.
    case name(String)
    /// By path: `written` as in the file, `resolved` relative to the working directory, not to the
    /// manifest's folder.
    case path(resolved: String, written: String)
  }

  /// When a plugin's code is loaded.
  public enum Loading: String, Hashable, Sendable, CaseIterable {
    /// When the first node needs it.
    case lazy
    /// Before the app starts.
    case eager
  }
  /// Whether another entry says the same about a plugin.
  func saysTheSame(as other: Self) -> Bool {
    guard version?.value == other.version?.value, load?.value == other.load?.value else {
      return false
    }
    switch (with, other.with) {
    case (nil, nil): return true
    case (let mine?, let others?): return mine.isEqual(to: others)
    default: return false
    }
  }
}

extension Manifest.Plugin.Reference: CustomStringConvertible {
  /// The name, or the resolved path.
  public var description: String {
    switch self {
    case .name(let name): name
    case .path(let path, _): path
    }
  }
}
