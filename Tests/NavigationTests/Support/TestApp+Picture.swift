import AppCore

@testable import Navigation

extension TestApp {
  /// What is presented, on one line: stacks with `>`, layers with `!`, containers with their tabs
  /// in parentheses, the selected one with `*`, one that was never selected as `-`.
  ///
  /// `home(list | *alerts > detail | -) ! dialog`
  var picture: String { state.picture(graph) }
}

extension AppState {
  @MainActor
  fileprivate func picture(_ graph: Graph) -> String {
    var layers: [String] = []
    var next = navigation.topLayer
    while let id = next, let layer = navigation.layers[id] {
      layers.append(layer.stack.map { picture($0, graph) } ?? "nothing")
      next = layer.below
    }
    return layers.reversed().joined(separator: " ! ")
  }

  @MainActor
  private func picture(_ stack: StackID, _ graph: Graph) -> String {
    var entries: [String] = []
    var next = navigation.stacks[stack]?.top
    while let id = next, let instance = instances[id] {
      entries.append(picture(instance, graph))
      next = instance.below
    }
    return entries.reversed().joined(separator: " > ")
  }

  @MainActor
  private func picture(_ instance: Instance, _ graph: Graph) -> String {
    var text = graph.nodes[instance.node].name
    if case .string(let tag)? = instance.arguments["tag"], text != "broken" { text += "#\(tag)" }
    guard let tabs = instance.tabs else { return text }
    let inner = tabs.stacks.enumerated().map { index, stack in
      (index == tabs.selected ? "*" : "") + (stack.map { picture($0, graph) } ?? "-")
    }
    return "\(text)(\(inner.joined(separator: " | ")))"
  }
}
