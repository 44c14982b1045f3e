import AppCore

enum Silent: FeatureAction {
  enum View: Codable, Sendable { case tapped }
  case view(View)
}

func finish() -> Effect<Silent> {
  // expect: type 'Never' has no member 'done'
  .send(.delegate(.done))
}
