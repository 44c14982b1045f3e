@_spi(Host) package import AppCore

/// The features of a graph's nodes: those that are made, and a way to make the others.
///
/// A node whose plugin is loaded when it is first needed has no feature until an instance of it is to
/// be made. Belongs to one app and is used on that app's store thread only.
package final class FeatureTable {
  /// Makes the feature of a node that has none yet, and those of other nodes along with it.
  ///
  /// If it throws, the step that needs the feature is refused and nothing has changed; the next
  /// such step tries again.
  package typealias Source = (_ node: Int) throws -> [Int: LoadedFeature]

  // Read for every action, and written only where no reading is under way.
  @exclusivity(unchecked) private var features: [LoadedFeature?]
  private var pending: Set<Int>
  private var source: Source?

  /// Creates the table of an app whose features are all made.
  ///
  /// - Parameter features: the feature of each node, in the order of the graph's nodes; `nil` for
  ///   containers.
  package init(_ features: [LoadedFeature?]) {
    self.features = features
    pending = []
    source = nil
  }

  /// Creates the table of an app that makes some of its features later.
  ///
  /// - Parameters:
  ///   - features: the features that are made, in the order of the graph's nodes.
  ///   - pending: the nodes whose features are made when they are first needed.
  ///   - source: makes them.
  package init(_ features: [LoadedFeature?], pending: Set<Int>, source: @escaping Source) {
    self.features = features
    self.pending = pending
    self.source = source
  }

  /// The feature of a node; `nil` for a container, and for a feature that is not made.
  ///
  /// Every node that has an instance has its feature.
  package subscript(node: Int) -> LoadedFeature? { node < features.count ? features[node] : nil }

  /// Whether the feature of a node is still to be made.
  package func isPending(_ node: Int) -> Bool { pending.contains(node) }

  /// Puts another build of a plugin's features in place of those that are made.
  func replace(_ made: [Int: LoadedFeature]) {
    for (node, feature) in made where features[node] != nil { features[node] = feature }
  }

  /// Takes over the features of a graph that follows this one's.
  ///
  /// Nodes that are not part of it keep theirs: instances of them may still be ending.
  func adopt(_ table: FeatureTable, of graph: Graph) {
    var adopted = table.features
    for node in graph.formerNodes { adopted[node] = self[node] }
    (features, pending, source) = (adopted, table.pending, table.source)
  }

  /// The feature of a node that is to have an instance, made if it has to be.
  ///
  /// - Returns: `nil` for a container.
  /// - Throws: why the feature can't be made.
  package func needed(_ node: Int) throws -> LoadedFeature? {
    if let feature = self[node] { return feature }
    guard pending.contains(node), let source else { return nil }
    for (node, feature) in try source(node) {
      features[node] = feature
      pending.remove(node)
    }
    return features[node]
  }
}
