import Foundation
import TestSupport

/// A study of the gallery: a node of its manifest.
struct Study {
  let node: String
  /// As in `BasicsStudies.Counter`.
  let feature: String

  /// The file in `Plugins/CaseStudies` that the feature's name begins with, as `SignUp` for
  /// `SignUpTopics`.
  var path: String? {
    let parts = feature.split(separator: ".").map(String.init)
    let folder = packageFolder.appendingPathComponent("Plugins/CaseStudies/\(parts[0])").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { parts[1].hasPrefix($0.dropLast(".swift".count)) }
      .max { $0.count < $1.count }.map { "\(parts[0])/\($0)" }
  }

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
