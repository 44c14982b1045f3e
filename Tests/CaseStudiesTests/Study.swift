import Foundation
import TestSupport

/// A study of the gallery: a node of its manifest.
struct Study {
  let node: String
  /// As in `BasicsStudies.Counter`.
  let feature: String

  /// The file in `Plugins/CaseStudies` that is named like the feature.
  var path: String { feature.replacing(".", with: "/") + ".swift" }

  /// Every node with a feature but the menus, as the program reads the manifest.
  static func all() async throws -> [Study] {
    struct Graph: Decodable {
      struct Node: Decodable {
        let name: String
        let feature: String?
      }
      let nodes: [Node]
    }
    let result = try await Program.appcore(
      ["graph", "manifests/casestudies.yaml", "--format", "json"])
    let graph = try JSONDecoder().decode(Graph.self, from: Data(result.output.utf8))
    return graph.nodes.compactMap { node in
      guard let feature = node.feature, !feature.hasSuffix(".Menu") else { return nil }
      return Study(node: node.name, feature: feature)
    }
  }
}
