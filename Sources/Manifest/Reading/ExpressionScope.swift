/// What expressions may refer to where they stand.
struct ExpressionScope {
  /// Whether there is a payload: `$` and `$.a`.
  let hasPayload: Bool
}
