internal import AppCheck
internal import AppCore
internal import Navigation
internal import Sessions

/// What becomes of the instances of each node in running sessions, when an app is updated.
///
/// As far as names and versions tell: none of the plugins' code runs. A feature may still refuse a state.
struct SessionForecast {
  /// The nodes of the old version, in its order, each with what becomes of an instance.
  let fates: [(node: String, newNode: String?, fate: SessionPlan.Fate)]

  /// Whether every instance continues with its state.
  var isLossless: Bool {
    fates.allSatisfy { entry in
      switch entry.fate {
      case .kept, .migrated: true
      case .madeAnew, .dropped: false
      }
    }
  }

  init(from old: ManifestReport, to new: ManifestReport) {
    guard let before = old.graph, let after = new.graph else {
      fates = []
      return
    }
    let identity = SessionIdentity(
      app: before.name, manifest: old.path,
      plugins: old.plugins.members.values.map {
        SessionIdentity.Plugin(name: $0.info.name, version: $0.info.version, digest: "")
      },
      nodes: before.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) })
    let versions = new.plugins.members.mapValues(\.info.version)
    fates = before.nodes.compactMap { node in
      // A session in which the node is all that there is.
      var image = SessionImage(identity: identity)
      image.instances[1] = SavedInstance(
        id: 1, node: node.name, arguments: .null, presenter: nil, place: .layer(over: nil),
        selectedTab: nil, order: 1, state: node.feature == nil ? .container : .value(.null))
      var features = Forecast(identity: identity, versions: versions)
      guard let plan = try? SessionPlan.make(of: image, in: after, &features),
        let entry = plan.entries.first
      else { return nil }
      return (node.name, entry.newNode, entry.fate)
    }
  }
}
