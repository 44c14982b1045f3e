extension Problem.Related {
  /// What is at the second place, in a few words.
  public var message: String {
    switch role {
    case .firstDefinition: "first defined here"
    case .beginning: "it begins here"
    case .anchor: "the anchor is here"
    case .other: "the other one is here"
    case .nodeDefinition: "the node is defined here"
    case .closingInclude: "this include closes the circle"
    case .value: "the value stands here"
    }
  }
}
