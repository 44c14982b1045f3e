@_spi(Host) public import AppCore
public import Manifest
public import Navigation
public import Support

/// What is known about one plugin.
@_spi(Host)
public enum PluginDescription: Sendable {
  case available(configuration: Schema, features: [FeatureInfo])
  /// It can't be loaded; the reason is shown.
  case unavailable(cause: String)
}

/// The descriptions of plugins that the checks use, by name.
@_spi(Host) public typealias FeatureCatalog = [String: PluginDescription]

/// Builds the ``Graph`` of a manifest, and performs all checks that need the features.
///
/// Its life:
/// 1. every node's feature is looked up in the catalog.
/// 2. every route is expanded for each of its nodes, and its payload's shape is checked against the
///    arguments of its targets.
/// 3. the graph as a whole is checked: delegate actions without a route, unreachable nodes.
///
/// Errors that follow from a plugin that can't be loaded are not reported.
public struct GraphBuilder: DiagnosticCollector {
  /// The result: every problem, and the graph if there are no errors.
  public struct Result {
    public let graph: Graph?
    /// The configuration of each plugin that can be loaded, by its name.
    public let configurations: [String: ArgumentTemplate]
    public let problems: [Diagnostic]
  }

  let manifest: Manifest
  let catalog: FeatureCatalog
  let variables: [String: Manifest.Variable]
  /// The features that can be loaded, by their full names.
  let featuresByName: [String: FeatureInfo]
  /// The feature of each node; `nil` for containers and unknown features.
  let features: [FeatureInfo?]
  package var problems: [Diagnostic] = []
  /// The parts of the manifest that could not be read in full, so that what is missing there is not
  /// reported.
  let gaps: ManifestGaps
  /// Whether it is known where instances of each node can be.
  var knowsPlaces: Bool { gaps.isDisjoint(with: .places) }
  let index: ManifestIndex
  /// The arguments that each container is given where it is entered; none for one that is passed a
  /// value whose fields are unknown.
  let given: [Int: Set<String>]
  /// Whether some node's name is unknown, so that missing references are not reported.
  let hasUnresolvedNames: Bool
  let placements: PlacementAnalysis
  var suggestions = Suggestions()
  lazy var inputsOfAll = InputIndex(features)
  /// The input actions of the nodes that can be in front.
  lazy var inputsOfCurrent = InputIndex(
    features.indices.filter { !isOnlyBackground($0) }.map { features[$0] })
  /// The input actions of the nodes that modals can cover.
  lazy var inputsOfOpeners = InputIndex((placements.openers ?? []).sorted().map { features[$0] })
  lazy var presenters = Presenters(manifest, index, features, everyone: inputsOfAll)
  /// The number of steps of the expanded routes, and of the values that they pass.
  var expansions = 0
  /// The maximum number of those: lists of nodes and actions multiply.
  let expansionLimit: Int
  /// Whether the limit was exceeded; further routes are left out.
  var hasTooManyPairs = false
  /// The delegate actions that misspelt ones in routes probably mean, by the node that a route names.
  var meantActions: [Int: Set<String>] = [:]
  /// The delegate actions that are probably meant, of any node.
  var meantActionsOfAny: Set<String> = []
  /// The targets of searches for a tab's containers, by the tab; a cache.
  var wantedContainers: [Int: (wanted: PlacementAnalysis.Wanted, isReached: Bool)] = [:]
  /// The nodes that can be shown, or run in the background.
  var reached: Set<Int> = []
  /// The nodes in ``reached`` that not only links lead to.
  var reachedByRoutes: Set<Int> = []
  /// The shapes that the arguments of each container must fit; the first one determines the fields.
  var containers: [Int: [Schema]] = [:]
  /// The arguments for entering each node; a cache.
  var accepted: [Int: AcceptedFields] = [:]
  /// The targets of which what is missing has been reported.
  var checkedTargets: Set<TargetPlace> = []
  /// The texts that containers pass on, by field; a cache.
  var texts: [Int: [String: [Located<String>]]] = [:]
  /// The arguments that containers refer to but are never given; a cache.
  var neverGiven: [Int: [NeverGiven]] = [:]
  var hasWrongTabs = false
  /// The fields of containers for which a text in place of a reference has been reported.
  var reportedTexts: [Int: Set<String>] = [:]

  /// Builds and checks the graph of a manifest whose names are resolved.
  ///
  /// The catalog has its plugins by the names under which nodes use them. `pluginNames` are the
  /// names of the manifest's plugins; `nil` for one whose name is unknown. `gaps` are the parts in
  /// which something was left out because of reported problems. Routes expand to at most `limit`
  /// steps and values that they pass.
  ///
  /// - Complexity: O(*n* · *m*), where *n* is the size of the manifest and *m* that of the shapes
  ///   involved.
  @_spi(Host) public static func build(
    _ manifest: Manifest, catalog: FeatureCatalog, pluginNames: [String?],
    gaps: ManifestGaps = [], limit: Int = ManifestLimits().pairs
  ) -> Result {
    var builder = GraphBuilder(manifest, catalog, gaps: gaps, limit: limit)
    let configurations = builder.checkPlugins(pluginNames)
    builder.checkFeatures(pluginNames)
    builder.findContainerArguments()
    builder.findReached()
    let nodes = builder.nodes()
    let routes = builder.routes()
    if !gaps.contains(.routes), !builder.hasTooManyPairs {
      builder.findMeantActions()
      builder.checkUnrouted(routes)
    }
    let start = manifest.start.flatMap { builder.target($0, nil, payload: nil) }
    let background = manifest.background.compactMap {
      builder.target($0.node, $0.with, payload: nil)
    }
    let links = manifest.links.compactMap { builder.link(of: $0) }
    if builder.knowsPlaces {
      builder.checkVerbs()
      builder.checkReachability()
    }
    let problems = builder.problems.sortedByPosition()
    let name = manifest.name?.value ?? "app"
    let graph = start.flatMap { start in
      problems.containsErrors
        ? nil
        : Graph(
          name: name, title: manifest.title?.value ?? name, nodes: nodes, start: start,
          background: background, routes: routes, links: links)
    }
    return Result(graph: graph, configurations: configurations, problems: problems)
  }

  private init(
    _ manifest: Manifest, _ catalog: FeatureCatalog, gaps: ManifestGaps, limit: Int
  ) {
    expansionLimit = limit
    self.gaps = gaps
    self.manifest = manifest
    self.catalog = catalog
    variables = manifest.variables.keyed(by: \.name.value)
    let known = catalog.values.flatMap { plugin -> [FeatureInfo] in
      if case .available(_, let features) = plugin { features } else { [] }
    }
    let byName = known.keyed(by: \.name)
    let features = manifest.nodes.map { $0.feature.flatMap { byName[$0.name] } }
    featuresByName = byName
    self.features = features
    index = ManifestIndex(manifest, features)
    given = Self.given(in: manifest)
    placements = PlacementAnalysis(manifest, index)
    hasUnresolvedNames = Self.hasUnresolvedNames(manifest)
  }

  private static func hasUnresolvedNames(_ manifest: Manifest) -> Bool {
    func isUnresolved(_ reference: NodeReference?) -> Bool {
      reference.map { $0.id == nil } ?? false
    }
    return manifest.routes.contains { route in
      route.sources.contains(where: isUnresolved)
        || route.steps.contains { isUnresolved($0.target) }
    }
      || (manifest.background + manifest.nodes.flatMap(\.parts)).contains { $0.node.id == nil }
      || manifest.links.flatMap(\.open).contains { isUnresolved($0.target) }
  }

  mutating func reportNever(_ verb: String, _ reason: String, at range: SourceRange) {
    report(.neverApplies, at: range, "'\(verb)' can never apply: \(reason)")
  }

  mutating func reportNever(_ step: Manifest.Step, _ reason: String) {
    reportNever(step.verb.rawValue, reason, at: step.verbRange)
  }

  /// Creates the template for `expression`, and reports its problems.
  ///
  /// `fields` is the table of the fields of `expected`, if one was made for several templates.
  mutating func template(
    _ expression: Manifest.Expression?, as expected: Schema, fields: FieldTable? = nil,
    owner: String, payload: Schema?
  ) -> ArgumentTemplate {
    guard let expression else { return .empty }
    var typing = TemplateTyping(
      owner: owner, payload: payload, variables: variables, fields: fields,
      suggestions: suggestions)
    let template = typing.template(expression, as: expected)
    problems.append(contentsOf: typing.problems)
    suggestions = typing.suggestions
    expansions += typing.elementCount
    return template
  }
}

struct FieldTable {
  /// The names, in the order of the fields.
  let names: [String]
  let required: [Schema.Field]
  private var fields: [String: Schema.Field]

  init(_ fields: [Schema.Field]) {
    names = fields.map(\.name)
    required = fields.filter(\.isRequired)
    self.fields = fields.keyed(by: \.name)
  }

  subscript(name: String) -> Schema.Field? { fields[name] }

  /// Accepts a field whose problem is already reported.
  mutating func allow(_ field: Schema.Field) { fields[field.name] = field }
}

/// Lookup tables for the checks, built once.
///
/// - Complexity: O(*n*), where *n* is the size of the manifest with the routes for `any` expanded
///   for their emitters.
struct ManifestIndex {
  /// Each route's source nodes; for `any`, the known emitters.
  let sources: [[Int]]
  /// Whether a node's feature is unknown, so that its actions are unknown too.
  let hasUnknownFeature: Bool
  /// Whether each route is one for `any` whose actions nodes with unknown features may emit.
  let hasUnknownSources: [Bool]
  /// The nodes whose features have a delegate action, by its name.
  let emitters: [String: [Int]]
  /// Nodes that have instances in the background, the tabs of containers there among them.
  let background: Set<Int>
  /// The containers that have a node as a tab.
  private(set) var containers: [Int: [Int]] = [:]
  private(set) var tabs: [Int: Set<Int>] = [:]
  /// The containers that have a node in the background.
  private(set) var hosts: [Int: [Int]] = [:]
  /// The nodes that routes enter or reset to.
  let enteredByRoutes: Set<Int>
  /// The nodes that steps of links show.
  let enteredByLinks: Set<Int>
  /// The node in front when each node is entered: the node itself, or for a container that of its
  /// first tab.
  let fronts: [Int]

  init(_ manifest: Manifest, _ features: [FeatureInfo?]) {
    var emitters: [String: [Int]] = [:]
    for (node, info) in features.enumerated() {
      for delegate in info?.delegates ?? [] { emitters[delegate.name, default: []].append(node) }
    }
    self.emitters = emitters
    // A second `any` route for an action is already reported.
    var known: Set<String> = []
    sources = manifest.routes.map { route in
      guard route.any != nil else { return route.sources.compactMap { $0.id?.index } }
      let actions = route.actions.filter { known.insert($0.value).inserted }
      return Set(actions.flatMap { emitters[$0.value] ?? [] }).sorted()
    }
    let hasUnknown = zip(manifest.nodes, features).contains { $0.feature != nil && $1 == nil }
    hasUnknownFeature = hasUnknown
    hasUnknownSources = manifest.routes.map { hasUnknown && $0.any != nil }
    for (index, node) in manifest.nodes.enumerated() {
      for tab in node.tabs.compactMap(\.node.id?.index) {
        containers[tab, default: []].append(index)
        tabs[index, default: []].insert(tab)
      }
      for part in node.background.compactMap(\.node.id?.index) {
        hosts[part, default: []].append(index)
      }
    }
    var background: Set<Int> = []
    var pending = manifest.background.compactMap { $0.node.id?.index } + hosts.keys
    while let node = pending.popLast() {
      if background.insert(node).inserted { pending += tabs[node] ?? [] }
    }
    self.background = background
    enteredByRoutes = Set(
      manifest.routes.flatMap(\.steps).compactMap { step in
        step.verb.enters || step.verb == .reset ? step.target?.id?.index : nil
      })
    enteredByLinks = Set(manifest.links.flatMap(\.open).compactMap { $0.target?.id?.index })
    fronts = manifest.nodes.indices.map { node in
      var front = node
      // Container cycles are already reported.
      for _ in 0..<InstanceFactory.containerLimit {
        guard let first = manifest.nodes[front].tabs.first?.node.id?.index else { break }
        front = first
      }
      return front
    }
  }
}
