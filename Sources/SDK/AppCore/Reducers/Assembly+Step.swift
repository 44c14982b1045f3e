extension Assembly {
  /// A reducer as one function.
  ///
  /// A function of generic types that is kept in a generic type is wrapped twice: where it goes in
  /// and where it comes out; and an action that is handed on as a value is copied at every level.
  /// A function of pointers is the same everywhere: where the types are known it is a call and no
  /// more, and the action stays where it is.
  @usableFromInline
  package struct Step {
    @usableFromInline
    package typealias Run = (inout State, Action) -> Effect<Action>
    /// Of a state, an action, and where the effect goes: memory in which there is nothing yet.
    @usableFromInline
    typealias Raw = (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    @usableFromInline let raw: Raw

    @inlinable
    init(raw: @escaping Raw) { self.raw = raw }

    @inlinable
    package init(_ run: @escaping Run) {
      raw = { state, action, effect in
        effect.initializeMemory(
          as: Effect<Action>.self,
          to: run(
            &state.assumingMemoryBound(to: State.self).pointee,
            action.assumingMemoryBound(to: Action.self).pointee))
      }
    }

    /// Reduces `action`.
    @inlinable @inline(__always)
    package func callAsFunction(_ state: inout State, _ action: Action) -> Effect<Action> {
      withUnsafeMutablePointer(to: &state) { state in
        withUnsafePointer(to: action) { callAsFunction(at: state, $0) }
      }
    }

    /// Reduces the action at `action`.
    @inlinable @inline(__always)
    func callAsFunction(
      at state: UnsafeMutableRawPointer, _ action: UnsafeRawPointer
    ) -> Effect<Action> {
      // What is written over is nothing, which there is no need to let go of.
      var effect = Effect<Action>.none
      withUnsafeMutablePointer(to: &effect) { raw(state, action, $0) }
      return effect
    }
  }
}
