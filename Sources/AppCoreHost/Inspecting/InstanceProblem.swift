/// Why nothing can be asked of, or said by, an instance of a node.
public enum InstanceProblem: Error, Hashable, Sendable {
  /// The manifest has no such node.
  case unknownNode(String, known: [String])
  /// No instance of the node is presented now.
  case notPresented(String, presented: [String])
  /// The node is a container, which has no feature.
  case container(String)
  /// The feature has no such delegate action.
  case unknownDelegate(String, feature: String, known: [String])
  /// The payload does not fit the delegate action.
  case payload(delegate: String, reason: String)
  /// The feature's own coding of its state failed.
  case notCoded(node: String, reason: String)
}
