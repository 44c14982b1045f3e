internal import Manifest
internal import Navigation
internal import Support

extension GraphDrawing {
  /// The version of the JSON form, which is raised with every incompatible change.
  static let jsonVersion = 1

  /// The graph as one object, nodes and routes in the order of the manifest.
  var jsonTree: JSONTree {
    [
      "version": .int(Self.jsonVersion),
      "name": .string(name),
      "title": .string(title),
      "start": .string(start),
      "background": JSONTree(background),
      "nodes": .array(nodes.map(\.jsonTree)),
      "routes": .array(
        routes.map { route in
          [
            "from": .string(route.from), "action": .string(route.action),
            "verbs": .array(route.verbs.map(\.jsonTree)),
          ]
        }),
      "links": .array(
        links.map { link in
          [
            "path": .string(link.path), "open": .array(link.steps.map(\.jsonTree)),
            "needs": JSONTree(link.needs),
          ]
        }),
    ]
  }
}

extension GraphDrawing.Node {
  fileprivate var jsonTree: JSONTree {
    [
      "name": .string(name),
      "title": JSONTree(title),
      "feature": JSONTree(feature),
      "maxDepth": maxDepth.map { .int($0) } ?? .null,
      "tabs": JSONTree(tabs),
      "background": JSONTree(background),
    ]
  }
}

extension GraphDrawing.Verb {
  fileprivate var jsonTree: JSONTree {
    var tree: JSONTree = ["verb": .string(word)]
    if let target { tree = tree.adding([(targetIsNode ? "node" : "target", .string(target))]) }
    return options.isEmpty ? tree : tree.adding([("options", JSONTree(options))])
  }
}
