import AppCore
import AppCoreTesting
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

/// A store of a study, as it begins or in a given state.
@MainActor
func studyStore<F: Feature>(
  of study: F, in state: F.State? = nil, _ prepare: (inout DependencyValues) -> Void = { _ in }
) throws -> TestStoreOf<F> where F.Arguments == NoArguments, F.State: Equatable {
  guard let state else {
    return try TestStore(arguments: NoArguments(), feature: { study }, withDependencies: prepare)
  }
  return TestStore(initialState: state, reducer: { study }, withDependencies: prepare)
}
