internal import AppCheck
internal import AppCore
internal import Navigation
internal import Sessions

/// A prediction of which nodes' instances keep their state when running sessions are updated.
///
/// It is based on names and versions only, since no plugin code is run. When a session is actually
/// restored, a feature may still reject its state.
struct SessionForecast {
  /// The old version's nodes in their order, each with its new name and the fate of an instance.
  let fates: [(node: String, newNode: String?, fate: SessionPlan.Fate)]

  /// Whether the instances of all nodes keep their state.
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
      // Plan the restoration of a session with a single instance, of this node.
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
