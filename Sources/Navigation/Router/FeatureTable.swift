@_spi(Host) package import AppCore

/// The features of a graph's nodes, some of which may be created later.
///
/// A node whose plugin is loaded on demand has no feature until its first instance is created. The
/// table belongs to one app and is used only on that app's store thread.
package final class FeatureTable {
  /// Creates the feature of a node that has none yet, and possibly those of other nodes.
  ///
  /// If it throws, the step that needs the feature is rejected and nothing has changed; the next
  /// such step tries again.
  package typealias Source = (_ node: Int) throws -> [Int: LoadedFeature]

  // Unchecked because it is read for each action; it is never written during a read.
  /// The features that are made, by node; `nil` for the others.
  @exclusivity(unchecked) package private(set) var made: [LoadedFeature?]
  private var pending: Set<Int>
  private var source: Source?

  /// Creates the table of an app, with the features that exist, in the order of the graph's nodes;
  /// `nil` for containers and for the pending ones, which the source creates when they are first
  /// needed.
  package init(
    _ features: [LoadedFeature?], pending: Set<Int> = [], source: Source? = nil
  ) {
    made = features
    self.pending = pending
    self.source = source
  }

  /// The feature of a node; `nil` for a container, and for a feature that does not exist yet.
  ///
  /// The feature of every node with an instance exists.
  package subscript(node: Int) -> LoadedFeature? { node < made.count ? made[node] : nil }

  /// Takes over the features of the graph that replaces this table's.
  ///
  /// Former nodes keep their features, because instances of them may still be ending.
  func adopt(_ table: FeatureTable, of graph: Graph) {
    var adopted = table.made
    for node in graph.formerNodes { adopted[node] = self[node] }
    (made, pending, source) = (adopted, table.pending, table.source)
  }

  /// The feature for a new instance of a node, which is created if it does not exist yet.
  ///
  /// - Returns: the feature; `nil` for a container.
  /// - Throws: the reason why the feature can't be created.
  package func needed(_ node: Int) throws -> LoadedFeature? {
    if let feature = self[node] { return feature }
    guard pending.contains(node), let source else { return nil }
    for (node, feature) in try source(node) {
      made[node] = feature
      pending.remove(node)
    }
    return made[node]
  }
}
