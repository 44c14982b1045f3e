extension Assembly {
  /// A reducer as one function.
  @usableFromInline
  package struct Step {
    @usableFromInline
    package typealias Run = (inout State, Action) -> Effect<Action>
    @usableFromInline package let raw: RawStep

    @inlinable
    init(raw: RawStep) { self.raw = raw }

    @inlinable
    package init(_ run: @escaping Run) {
      raw = RawStep { state, action, effect in
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
      withUnsafeMutablePointer(to: &effect) { raw.run(state, action, $0) }
      return effect
    }
  }
}
