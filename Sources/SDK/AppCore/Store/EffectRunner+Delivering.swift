extension EffectRunner {
  /// How many actions an effect sends before others have their turn.
  private static var turn: Int { 256 }

  /// An action from an effect; after the effect's end it is reported instead of taken.
  ///
  /// - Returns: whether the effect is to wait until others have had their turn.
  func deliver(_ action: Action, from token: Token) -> Bool {
    guard !token.isCancelled else {
      if token.isLate { didDrop?(action) }
      return false
    }
    // One whose group was cancelled sends nothing either.
    guard !Task.isCancelled else { return false }
    take(action, from: token)
    token.sentCount += 1
    guard token.sentCount >= Self.turn else { return false }
    token.sentCount = 0
    return true
  }

  private func take(_ action: Action, from token: Token) {
    guard !token.hasEnded else {
      Issue.report(
        """
        An effect sent an action after it had ended: \(action)
        Its 'send' was kept beyond the end of 'run', so nothing could cancel it any more. Wait \
        inside 'run' for what still has to send.
        """)
      return
    }
    guard let surroundings = token.surroundings else { return enqueue(action, token.group, false) }
    // The effect's own dependencies are not those of the reducers that answer it.
    DependencyValues.$current.withValue(surroundings) { enqueue(action, token.group, false) }
  }

  func ended(_ id: Int, _ token: Token) {
    token.hasEnded = true
    if running[id] === token { forget(id, token) }
  }
}
