/// A reducer as one function of pointers.
///
/// A function of generic types that is kept in a generic type is wrapped twice: where it goes in and
/// where it comes out; and an action that is handed on as a value is copied at every level. A
/// function of pointers is the same everywhere: where the types are known it is a call and no more,
/// and the action stays where it is.
@usableFromInline
package final class RawStep {
  /// Of a state, an action, and where the effect goes: memory in which there is nothing yet.
  @usableFromInline
  package typealias Run =
    (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  @usableFromInline package let run: Run
  /// The same in two halves, where a child's work lies between them.
  @usableFromInline let descent: Descent?

  @usableFromInline
  init(_ run: @escaping Run) {
    self.run = run
    descent = nil
  }

  /// A reducer in two halves.
  @usableFromInline
  init(_ descent: Descent) {
    run = { DescentRun.run(descent, $0, $1, $2) }
    self.descent = descent
  }

  /// The same of a reducer that need not go down for every action.
  init(_ run: @escaping Run, _ descent: Descent) {
    self.run = run
    self.descent = descent
  }

  /// Reducers over one state one after another, their effects merged.
  ///
  /// One function that calls two, which call two each: a walk along an array of them takes longer.
  static func sequence(_ steps: ArraySlice<RawStep>, _ merge: RawMerge) -> RawStep {
    guard let only = steps.first else {
      return RawStep { _, _, effect in effect.storeBytes(of: RawEffect.none, as: Int.self) }
    }
    if steps.count == 1 { return only }
    let middle = steps.startIndex + steps.count / 2
    let first = sequence(steps[..<middle], merge)
    let second = sequence(steps[middle...], merge)
    return RawStep { state, action, effect in
      first.run(state, action, effect)
      guard effect.load(as: Int.self) != RawEffect.none else {
        return second.run(state, action, effect)
      }
      var next = RawEffect.none
      second.run(state, action, &next)
      merge.join(effect, &next)
    }
  }
}

/// An effect in a word, whatever its actions are.
enum RawEffect {
  /// An effect that is nothing.
  @inline(__always) static var none: Int { unsafeBitCast(Effect<Never>.none, to: Int.self) }
}

/// Joins effects of actions of one type.
@usableFromInline
package struct RawMerge {
  private let merge: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

  @usableFromInline
  init<Action: Sendable>(_ action: Action.Type) {
    merge = { first, second in
      let second = second.assumingMemoryBound(to: Effect<Action>.self).move()
      let first = first.assumingMemoryBound(to: Effect<Action>.self)
      first.pointee = first.pointee.merge(with: second)
    }
  }

  /// Joins the effect at `second`, which is gone then, to the one at `first`.
  func join(_ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer) {
    let next = second.load(as: Int.self)
    if next == RawEffect.none { return }
    if first.load(as: Int.self) == RawEffect.none {
      first.storeBytes(of: next, as: Int.self)
    } else {
      merge(first, second)
    }
  }
}
