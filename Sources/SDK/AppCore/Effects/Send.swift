/// Sends actions from inside an effect.
///
/// `await send(.internal(.loaded(x)))` returns when the store has reduced the action. Once the
/// effect is cancelled, nothing is sent.
///
/// It is an actor that shares the store's executor. An effect is isolated to it, and so starts
/// immediately, on the store's executor, whatever its closure captures.
///
/// Pass it to functions that several effects share:
///
/// ```swift
/// enum Action: ComponentAction { case progressed(Int), finished }
///
/// func report(_ steps: Int, to send: Send<Action>) async {
///   for step in 1...steps { await send(.progressed(step)) }
/// }
///
/// func work() -> Effect<Action> {
///   .run { send in
///     await report(3, to: send)
///     await send(.finished)
///   }
/// }
/// ```
public actor Send<Action: Sendable> {
  /// The number of actions that an effect sends before it yields to other tasks.
  private static var turn: Int { 256 }

  private let isolation: any Actor
  /// What runs the effect in a test.
  private let executor: (any EffectExecuting)?
  private let effect: ActiveEffect
  private let sink: EffectSink<Action>
  private let runner: EffectRunner

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor?.onStore ?? isolation.unownedExecutor
  }

  init(_ effect: ActiveEffect, to sink: @escaping EffectSink<Action>, by runner: EffectRunner) {
    isolation = runner.isolation
    executor = runner.account.executor
    self.effect = effect
    self.sink = sink
    self.runner = runner
  }

  /// Starts `body`, which runs immediately up to its first suspension.
  func start(_ run: EffectRun<Action>) -> Task<Void, Never> {
    guard let executor else {
      return Task.immediate(priority: run.priority) {
        await run.body(self)
        self.runner.ended(self.effect)
      }
    }
    // A task with an executor preference is enqueued first; the executor runs that job immediately.
    executor.willStart()
    defer { executor.didStart() }
    return Task.immediate(priority: run.priority, executorPreference: executor) {
      executor.didStart()
      await run.body(self)
      self.runner.ended(self.effect)
    }
  }

  /// Sends the action that dismisses the child that the effect belongs to.
  func dismiss() async {
    guard let dismissal = effect.context.dismissal else { return }
    await deliver("the action that dismisses its child") { dismissal($0) }
  }

  /// Runs a part of an effect that ``Effect/cancel(id:)`` can cancel; the effect then continues.
  ///
  /// Cancelling the effect also cancels the part.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case progressed(Int), finished }
  /// enum CancelID { case steps }
  ///
  /// func work() -> Effect<Action> {
  ///   .run { send in
  ///     await send.withTaskCancellation(id: CancelID.steps) { send in
  ///       for step in 1...100 { await send(.progressed(step)) }
  ///     }
  ///     await send(.finished)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: identifies the part among the effects of the same reducer.
  ///   - cancelInFlight: whether running effects and parts with the same id are cancelled first.
  ///   - operation: the part; once it is cancelled, its own `Send` sends nothing.
  /// - Returns: what `operation` returns.
  /// - Throws: what `operation` throws.
  public func withTaskCancellation<Success: Sendable, Failure>(
    id: some Hashable & Sendable, cancelInFlight: Bool = false,
    operation: @escaping @Sendable (isolated Send<Action>) async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    // The effect is already cancelled, so nothing would cancel a separate task.
    guard !effect.isCancelled, !Task.isCancelled else { return try await operation(self) }
    let outcome = PartOutcome<Success, Failure>()
    let part = EffectRun<Action>(priority: nil) { send in
      do throws(Failure) {
        outcome.result = .success(try await operation(send))
      } catch {
        outcome.result = .failure(error)
      }
    }
    var context = effect.context
    context.effect = effect
    await waitForAll(
      runner.perform(
        EffectOperation(
          .cancellable(
            EffectOperation(.run(part)), id: AnySendableHashable(id),
            cancelInFlight: cancelInFlight)),
        in: context, to: sink))
    guard let result = outcome.result else {
      preconditionFailure("a part of an effect has ended without a result")
    }
    return try result.get()
  }

  func deliver(_ action: Action) async {
    await deliver(action) { [sink] in sink(action, $0) }
  }

  private func deliver(_ action: Any, _ receive: (EffectContext) -> Void) async {
    var context = effect.context
    context.effect = effect
    guard !effect.isCancelled else {
      if effect.isCancelledWithInstance { receive(context) }
      return
    }
    // The task of an effect whose group was cancelled sends nothing either.
    guard !Task.isCancelled else { return }
    guard !effect.hasEnded else {
      RuntimeIssue.report(
        """
        An effect sent an action after it had ended: \(action)
        Its 'send' was kept beyond the end of 'run', so nothing could cancel it any more. Wait \
        inside 'run' for what still has to send.
        """)
      return
    }
    if runner.isReducing {
      // Continue only when the action has been reduced, which may cancel this effect.
      await withCheckedContinuation { continuation in
        context.whenReduced = { continuation.resume() }
        receive(context)
      }
    } else {
      receive(context)
    }
    // An effect that never suspends would block the store, or fill the queue without end.
    effect.sentCount += 1
    guard effect.sentCount >= Self.turn else { return }
    effect.sentCount = 0
    await Task.yield()
  }
}

/// The result of a part of an effect.
private final class PartOutcome<Success: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: written by the part and read after the part has ended, on the same actor.
  var result: Result<Success, Failure>?
}

extension Send where Action: FeatureAction {
  /// Sends an internal or a delegate action of the feature.
  public func callAsFunction(_ emission: Emission<Action>) async {
    await deliver(emission.action)
  }
}

extension Send where Action: ComponentAction {
  /// Sends an action of the component.
  public func callAsFunction(_ action: Action) async { await deliver(action) }
}
