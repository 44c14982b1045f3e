/// What expressions may refer to in a given place.
struct ExpressionScope {
  /// Whether there is a payload: `$` and `$.a`.
  let hasPayload: Bool
}
