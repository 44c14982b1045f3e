internal import Manifest
internal import Support

/// Why an instance of a node can't be inspected, or can't emit an action.
public enum InstanceError: Error, Hashable, Sendable {
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
  /// The feature's state can't be encoded.
  case notEncodable(node: String, reason: String)
}

extension InstanceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownNode(let node, let known):
      "the manifest has no node '\(node)'" + Self.meant(node, known, kind: "it has")
    case .notPresented(let node, let presented):
      "no instance of '\(node)' is presented now; on the way from the root are: "
        + presented.joined(separator: ", ")
    case .container(let node):
      "'\(node)' is a container, which has no feature; name the node of one of its tabs"
    case .unknownDelegate(let action, let feature, let known):
      "the feature '\(feature)' has no delegate action '\(action)'"
        + Self.meant(action, known, kind: "it has")
    case .payload(let delegate, let reason):
      "the payload does not fit the delegate action '\(delegate)': \(reason)"
    case .notEncodable(let node, let reason):
      "the state of '\(node)' can't be coded: \(reason)"
    }
  }

  private static func meant(_ name: String, _ known: [String], kind: String) -> String {
    if let nearest = NearestName.of(name, among: known) { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "; it has none" : "; \(kind): " + known.joined(separator: ", ")
  }
}
