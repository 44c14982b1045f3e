internal import Navigation
internal import Sessions

/// The order in which a step created its new instances, as far as their places show it.
///
/// A container comes with the root of its first tab and with its background instances. Whatever is
/// above or over one of these was created later.
struct CreationOrder {
  private let moment: AppMoment
  private let graph: Graph
  /// The instances that came with a container, with their ranks among these.
  private var parts: [InstanceID: [(rank: Int, id: InstanceID)]] = [:]
  /// The other new instances, by the new instance that they are above, over or in a tab of;
  /// `nil` stands for an instance that is not new.
  private var later: [InstanceID?: [InstanceID]] = [:]

  /// Sorts the instances that are new in an app after a step by their creation.
  static func of(_ new: Set<InstanceID>, in moment: AppMoment, _ graph: Graph) -> [InstanceID] {
    new.count < 2 ? Array(new) : CreationOrder(new, moment, graph).order()
  }

  private init(_ new: Set<InstanceID>, _ moment: AppMoment, _ graph: Graph) {
    (self.moment, self.graph) = (moment, graph)
    for id in new.sorted() {
      guard let instance = moment.instances[id] else { continue }
      let (parent, rank) = place(of: instance)
      if let parent, let rank, new.contains(parent) {
        parts[parent, default: []].append((rank, id))
      } else {
        later[parent.flatMap { new.contains($0) ? $0 : nil }, default: []].append(id)
      }
    }
  }

  /// The parent of an instance, and its rank among the instances that come with the parent; `nil` if
  /// it came later.
  private func place(of instance: SavedInstance) -> (parent: InstanceID?, rank: Int?) {
    func node(_ id: InstanceID) -> Node? {
      moment.instances[id].flatMap { graph.index(of: $0.node) }.map { graph.nodes[$0] }
    }
    switch instance.place {
    case .above(let below): return (below, nil)
    case .layer(let over): return (over, nil)
    case .tab(let container, let tab):
      guard case .tabs(let targets)? = node(container)?.content, let first = targets.first,
        graph.nodes[first.node].name == tab
      else { return (container, nil) }
      return (container, 0)
    case .background(let container):
      let rank = container.flatMap(node)?.background
        .firstIndex { graph.nodes[$0.node].name == instance.node }
      return (container, rank.map { $0 + 1 })
    }
  }

  private func order() -> [InstanceID] {
    var order: [InstanceID] = []
    var waiting = Array((later[nil] ?? []).reversed())
    // Not by recursion: instances may be stacked 100,000 deep.
    while let id = waiting.popLast() {
      let start = order.count
      addWithParts(id, to: &order)
      for part in order[start...].reversed() { waiting += (later[part] ?? []).reversed() }
    }
    return order
  }

  /// Adds an instance and those that came with it.
  private func addWithParts(_ id: InstanceID, to order: inout [InstanceID]) {
    order.append(id)
    for part in (parts[id] ?? []).sorted(by: { ($0.rank, $0.id) < ($1.rank, $1.id) }) {
      addWithParts(part.id, to: &order)
    }
  }
}
