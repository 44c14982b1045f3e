@_spi(Host) internal import AppCore
public import Manifest
public import Support

/// Builds the ``Graph`` of a manifest, and performs all checks that need the features.
///
/// Its life:
/// 1. every node's feature is looked up in the catalog.
/// 2. every route is expanded for each of its nodes, and its payload's shape is checked against the
///    arguments of its targets.
/// 3. the graph as a whole is checked: delegate actions without a route, unreachable nodes.
///
/// Errors that follow from a plugin that can't be loaded are not reported.
public struct GraphBuilder {
  /// The result: every problem, and the graph if there are no errors.
  public struct Result {
    public let graph: Graph?
    /// The configuration of each plugin that can be loaded, by its name.
    public let configurations: [String: ArgumentTemplate]
    public let problems: [Diagnostic]
    /// The number of steps that the checks took.
    var steps = 0
  }

  let manifest: Manifest
  let catalog: FeatureCatalog
  let variables: [String: Manifest.Variable]
  /// The feature of each node; `nil` for containers and unknown features.
  let features: [FeatureInfo?]
  var problems: [Diagnostic] = []
  /// The parts of the manifest that could not be read in full, so that what is missing there is not
  /// reported.
  let gaps: ManifestGaps
  /// Whether it is known where instances of each node can be.
  var knowsPlaces: Bool { gaps.isDisjoint(with: .places) }
  let index: ManifestIndex
  /// The arguments that each container is given where it is entered.
  let given: [Int: Given]
  /// Whether some node's name is unknown, so that missing references are not reported.
  let hasUnresolvedNames: Bool
  var placements: PlacementAnalysis
  /// Counts the steps of the checks.
  let counter = StepCounter()
  var suggestions = Suggestions()
  /// Whether a node's feature is unknown, so that its actions are unknown too.
  let hasUnknownFeature: Bool
  var inputIndexes = InputIndexes()
  /// The arguments of the last checked `notify` for features whose input has another type.
  var otherSupplies: [String: ArgumentTemplate] = [:]
  /// The number of steps of the expanded routes.
  var expansions = 0
  /// The maximum number of those steps: lists of nodes and actions multiply.
  static let expansionLimit = ManifestLimits().pairs
  /// The delegate actions that misspelt ones in routes probably mean.
  var meant = MeantActions()
  /// The containers of each tab; a cache.
  var tabContainers: [Int: Set<Int>] = [:]
  /// The targets of searches for a tab's containers, by the tab; a cache.
  var wantedContainers: [Int: (wanted: PlacementAnalysis.Wanted, isReached: Bool)] = [:]
  /// The nodes that can be shown, or run in the background.
  var reached: Set<Int> = []
  /// The nodes in ``reached`` that not only links lead to.
  var reachedByRoutes: Set<Int> = []
  /// The shapes that the arguments of each container must fit; the first one determines the fields.
  var containers: [Int: [Schema]] = [:]
  /// The arguments for entering each node; a cache.
  var intakes: [Int: Intake] = [:]
  /// The texts that containers pass on, by field; a cache.
  var texts: [Int: [String: [HandedText]]] = [:]
  /// The arguments that containers refer to but are never given; a cache.
  var neverGiven: [Int: [NeverGiven]] = [:]
  /// Whether a tab's name is wrong.
  var hasWrongTabs = false
  /// The fields of containers for which a text in place of a reference has been reported.
  var reportedTexts: Set<ContainerField> = []

  /// Builds and checks the graph.
  ///
  /// - Parameters:
  ///   - manifest: the manifest, typed and with its names resolved.
  ///   - catalog: the descriptions of its plugins, by the names under which nodes use them.
  ///   - pluginNames: the name of each of the manifest's plugins; `nil` for one whose name is
  ///     unknown.
  ///   - gaps: the parts in which something was left out because of reported problems.
  /// - Returns: the graph and the problems.
  /// - Complexity: O(*n* · *m*), where *n* is the size of the manifest and *m* that of the shapes
  ///   involved.
  public static func build(
    _ manifest: Manifest, catalog: FeatureCatalog, pluginNames: [String?],
    gaps: ManifestGaps = []
  ) -> Result {
    var builder = GraphBuilder(manifest, catalog, gaps: gaps)
    let configurations = builder.checkPlugins(pluginNames)
    builder.checkFeatures(pluginNames)
    builder.findContainerArguments()
    builder.findReached()
    let nodes = builder.nodes()
    let routes = builder.routes()
    if !gaps.contains(.routes) {
      builder.findMeantActions()
      builder.checkUnrouted(routes)
    }
    let start = builder.start()
    let background = builder.background()
    let links = builder.links()
    if builder.knowsPlaces {
      builder.checkVerbs()
      builder.checkReachability()
    }
    let problems = builder.problems.sortedByPosition()
    guard !problems.containsErrors, let start else {
      return Result(
        graph: nil, configurations: configurations, problems: problems,
        steps: builder.counter.steps)
    }
    let name = manifest.name?.value ?? "app"
    let graph = Graph(
      name: name, title: manifest.title?.value ?? name, nodes: nodes, start: start,
      background: background, routes: routes, links: links)
    return Result(
      graph: graph, configurations: configurations, problems: problems,
      steps: builder.counter.steps)
  }

  private init(_ manifest: Manifest, _ catalog: FeatureCatalog, gaps: ManifestGaps) {
    self.gaps = gaps
    self.manifest = manifest
    self.catalog = catalog
    variables = Dictionary(
      manifest.variables.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    let features = manifest.nodes.map { $0.feature.flatMap { catalog.feature($0.name) } }
    self.features = features
    hasUnknownFeature = zip(manifest.nodes, features).contains { $0.feature != nil && $1 == nil }
    index = ManifestIndex(manifest, features, counter)
    given = Self.given(in: manifest)
    placements = PlacementAnalysis(manifest, index, counter)
    hasUnresolvedNames = Self.hasUnresolvedNames(manifest)
  }

  mutating func report(_ finding: Finding, _ range: SourceRange) {
    problems.append(Diagnostic(finding, at: range))
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
      suggestions: suggestions, counter: counter)
    let template = typing.template(expression, as: expected)
    problems.append(contentsOf: typing.problems)
    suggestions = typing.suggestions
    return template
  }
}

extension GraphBuilder {
  /// The delegate actions that misspelt ones probably mean.
  struct MeantActions {
    /// By the node that a route names.
    var byNode: [Int: Set<String>] = [:]
    /// For any node.
    var byAny: Set<String> = []
  }
}

/// A table of fields for repeated lookups by name.
struct FieldTable {
  /// The names, in the order of the fields.
  let names: [String]
  /// The fields that must be given.
  let required: [Schema.Field]
  private var fields: [String: Schema.Field]

  init(_ fields: [Schema.Field]) {
    names = fields.map(\.name)
    required = fields.filter(\.isRequired)
    self.fields = Dictionary(
      fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The field with a name; `nil` if there is none.
  subscript(name: String) -> Schema.Field? { fields[name] }

  /// Accepts a field whose problem is already reported.
  mutating func allow(_ field: Schema.Field) { fields[field.name] = field }
}
