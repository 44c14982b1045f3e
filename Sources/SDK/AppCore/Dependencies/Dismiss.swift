/// Lets a child dismiss itself: `await dismiss()` in one of its effects.
///
/// ```swift
/// struct Dialog: Reducer {
///   enum Action: ComponentAction { case closeTapped }
///   @Dependency(\.dismiss) var dismiss
///   @Dependency(\.isPresented) var isPresented
///
///   func reduce(into state: inout String, action: Action) -> Effect<Action> {
///     .run { _ in if isPresented { await dismiss() } }
///   }
/// }
/// ```
public struct DismissEffect: Sendable {
  private let action: (@Sendable () async -> Void)?

  /// Creates a dismissal that calls `action`, for a test of a child alone; `nil` means that nothing
  /// is presented.
  public init(_ action: (@Sendable () async -> Void)?) { self.action = action }

  /// Makes the parent dismiss the child that this effect belongs to.
  ///
  /// If the child is not presented, it reports an issue instead.
  public func callAsFunction() async {
    // A reducer may have read `dismiss` before its effect began; the effect has a value of its own.
    guard let action = action ?? DependencyValues.current.dismiss.action else {
      RuntimeIssue.report(
        """
        'dismiss' was called where nothing is presented
          - call it in an effect of a child under 'ifLet' with a presentation, or 'forEach' with a \
        stack
          - an instance of the graph is dismissed by a route: emit a delegate action
        """)
      return
    }
    await action()
  }

  /// Whether the child that this effect belongs to is presented.
  public var isPresented: Bool { action != nil }
}

extension DependencyValues {
  /// Dismisses the child that an effect belongs to.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  /// The value that was set for ``dismiss``; `nil` if none was.
  @_spi(Host) public var ownDismiss: DismissEffect? { chosen(DismissKey.self) }

  /// Whether the child that an effect belongs to is presented.
  public var isPresented: Bool { dismiss.isPresented }
}

private enum DismissKey: DependencyKey {
  static var liveValue: DismissEffect { DismissEffect(nil) }
  static var testValue: DismissEffect { DismissEffect(nil) }
}
