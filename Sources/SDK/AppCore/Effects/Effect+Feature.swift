extension Effect where Action: FeatureAction {
  /// Sends an internal or a delegate action, after the actions that are already queued.
  ///
  /// ```swift
  /// enum Action: FeatureAction {
  ///   enum View: Codable, Sendable { case loadTapped }
  ///   enum Internal: Sendable { case loaded(String), failed(String) }
  ///   enum Delegate: Codable, Sendable { case finished }
  ///   case view(View)
  ///   case `internal`(Internal)
  ///   case delegate(Delegate)
  /// }
  ///
  /// func finish() -> Effect<Action> { .send(.delegate(.finished)) }
  /// ```
  public static func send(_ emission: Emission<Action>) -> Self {
    Self(.send(emission.action))
  }
}

extension Effect where Action: ComponentAction {
  /// Sends an action, after the actions that are already queued.
  public static func send(_ action: Action) -> Self { Self(.send(action)) }
}

extension Effect {
  /// Runs asynchronous work, which may send actions as it goes.
  ///
  /// It starts immediately, on the store's actor: everything before its first suspension has
  /// happened when the action's `send` returns. It is cancelled when its instance ends. Put long
  /// work into a nonisolated `async` function, which leaves the store's thread.
  ///
  /// ```swift
  /// enum Action: FeatureAction {
  ///   enum View: Codable, Sendable { case loadTapped }
  ///   enum Internal: Sendable { case loaded(String), failed(String) }
  ///   enum Delegate: Codable, Sendable { case finished }
  ///   case view(View)
  ///   case `internal`(Internal)
  ///   case delegate(Delegate)
  /// }
  ///
  /// func load(_ path: String) -> Effect<Action> {
  ///   .run { send in
  ///     @Dependency(\.fileSystem) var fileSystem
  ///     await send(.internal(.loaded(try await fileSystem.readText(path))))
  ///   } catch: { error, send in
  ///     await send(.internal(.failed("\(error)")))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: the task's priority; `nil` for the caller's.
  ///   - operation: the work.
  ///   - handler: called when `operation` throws; without it the error is reported with file and
  ///     line. Cancellation is not an error.
  ///   - fileID: the file that an unhandled error is reported with.
  ///   - line: the line that an unhandled error is reported with.
  /// - Returns: the effect that does the work.
  public static func run(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (isolated Send<Action>) async throws -> Void,
    catch handler: (@Sendable (any Error, isolated Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    let run = EffectRun<Action>(priority: priority) { send in
      do {
        try await operation(send)
      } catch is CancellationError {
        // The instance ended or the effect was cancelled, so there is no receiver.
      } catch {
        if let handler {
          await handler(error, send)
        } else {
          RuntimeIssue.report(
            """
            An effect threw an error that nobody handles: \(error)
            It was started at \(fileID):\(line). Give its 'run' a 'catch:' that turns the error \
            into an internal action, or catch it inside.
            """)
        }
      }
    }
    return Self(.run(run))
  }
}
