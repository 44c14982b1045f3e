import AppCore

// expect: type 'Both' does not conform to protocol
enum Both: FeatureAction, ComponentAction {
  enum View: Codable, Sendable { case tapped }
  case view(View)
}
