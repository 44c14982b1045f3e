/// Valid names of nodes.
enum NodeName {
  /// Words that are not names: whom a route is for, who is notified, where to stop, and the verbs.
  static let reserved: Set<String> = Set(
    ["any", "current", "presenter", "opener", "root"] + Verb.allCases.map(\.rawValue))

  /// Whether a text matches `[a-z][A-Za-z0-9-]*`.
  static func isWellFormed(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
  }
}
