internal import AppCore
internal import Navigation

// Placing the tabs and the background of containers, and the background of the app.
extension Planner {
  /// Places the saved instances in the tabs and the background of a container.
  ///
  /// The result is why the container can't be restored; `nil` if it can.
  mutating func placeTabs(
    _ tabs: [Target], of container: Int, _ saved: SavedInstance, _ containers: Int
  ) -> String? {
    let inner = children[saved.id] ?? []
    var made: [Int: Int] = [:]
    for child in inner {
      guard case .tab(_, let name) = child.place else { continue }
      guard let node = names[name], let tab = tabs.firstIndex(where: { $0.node == node })
      else {
        drop(child, "'\(graph.nodes[entries[container].node].name)' has no tab '\(name)' any more")
        dropAll(on: child)
        continue
      }
      guard made[tab] == nil else { continue }
      guard
        let entry = place(child, .tab(of: container, tab), stack: nil, containers: containers + 1)
      else {
        dropAll(on: child)
        continue
      }
      made[tab] = entry
      wait(on: entry, child, stack: entry)
    }
    if let reason = select(tabs, of: container, saved, made, containers) { return reason }
    placeBackground(
      graph.nodes[entries[container].node].background, of: container, inner, containers)
    return nil
  }

  /// Selects the tab that was selected, or else the first one that can be shown.
  ///
  /// A tab without an instance gets a new one when it is selected.
  ///
  /// `made` has the entries of the tabs that were restored, by the tabs' indexes. The result is why
  /// no tab can be shown; `nil` if one is selected.
  mutating func select(
    _ tabs: [Target], of container: Int, _ saved: SavedInstance, _ made: [Int: Int],
    _ containers: Int
  ) -> String? {
    let node = saved.selectedTab.flatMap { names[$0] }
    let selected = node.flatMap { node in tabs.firstIndex { $0.node == node } }
    var reason = "none of its tabs can be shown"
    // The tab that was selected, then all in their order.
    for tab in [selected].compactMap({ $0 }) + tabs.indices {
      if made[tab] == nil {
        let arguments = graph.arguments(of: tabs[tab], payload: entries[container].arguments)
        if let failure = makeAnew(
          tabs[tab].node, arguments, .tab(of: container, tab), containers: containers + 1)
        {
          reason = failure
          continue
        }
      }
      entries[container].selectedTab = tab
      return nil
    }
    return reason
  }

  /// Adds a new instance, which is not in the image; of a container, with its first tab.
  ///
  /// - Returns: why it can't be created; `nil` if it was.
  mutating func makeAnew(
    _ node: Int, _ arguments: Value, _ place: Layout.Place, containers: Int
  ) -> String? {
    let index = entries.count
    lastOrder &+= 1
    let entry = Layout.Entry(
      node: node, arguments: arguments, place: place, origin: .made, order: lastOrder)
    guard case .tabs(let tabs) = graph.nodes[node].content else {
      let key = nextKey()
      if let reason = features.make(key, node: node, arguments: arguments) { return reason }
      append(entry, from: nil, key, stack: nil)
      return nil
    }
    guard containers < Self.containerLimit, let first = tabs.first else {
      return Self.tooNested
    }
    append(entry, from: nil, nil, stack: nil)
    let inner = graph.arguments(of: first, payload: arguments)
    if let reason = makeAnew(first.node, inner, .tab(of: index, 0), containers: containers + 1) {
      removeEntries(from: index)
      return reason
    }
    placeBackground(graph.nodes[node].background, of: index, [], containers)
    return nil
  }

  /// Places the background instances of a container or of the app.
  ///
  /// Those that are missing in the image are created. One that can't be created is left out.
  ///
  /// `container` is the index of the container's entry, or `nil` for the app; `saved` are the saved
  /// instances among which they are.
  mutating func placeBackground(
    _ targets: [Target], of container: Int?, _ saved: [SavedInstance], _ containers: Int
  ) {
    var left = saved.filter { if case .background = $0.place { true } else { false } }
    func take(_ isMeant: (SavedInstance) -> Bool) -> SavedInstance? {
      left.firstIndex(where: isMeant).map { left.remove(at: $0) }
    }
    let payload = container.map { entries[$0].arguments } ?? .null
    let arguments = targets.map { graph.arguments(of: $0, payload: payload) }
    // Of several of one node, each goes where its arguments are given.
    var children = zip(targets, arguments).map { target, arguments in
      take { names[$0.node] == target.node && $0.arguments == arguments }
    }
    for (index, target) in targets.enumerated() where children[index] == nil {
      children[index] = take { names[$0.node] == target.node }
    }
    let place = Layout.Place.background(of: container)
    for (index, target) in targets.enumerated() {
      var isPlaced = false
      while !isPlaced, let child = children[index] {
        isPlaced = self.place(child, place, stack: nil, containers: containers + 1) != nil
        if !isPlaced {
          dropAll(on: child)
          children[index] = take { names[$0.node] == target.node }
        }
      }
      if !isPlaced {
        _ = makeAnew(target.node, arguments[index], place, containers: containers + 1)
      }
    }
    for child in left where outcomes[child.id] == nil {
      drop(child, "the manifest does not name it under 'background' any more")
      dropAll(on: child)
    }
  }
}
