/// What ``Scope`` does, in two halves.
@usableFromInline
final class ScopedChild: Descent {
  private let offset: Int
  private let finder: CaseFinder
  private let boundary: RawBoundary
  private let child: Unmanaged<RawStep>
  /// Holds what is referred to.
  private let owned: RawStep
  private let embed: (UnsafeMutableRawPointer) -> Void

  /// - Parameters:
  ///   - offset: where the child's state is in its parent's, in bytes.
  ///   - finder: finds the child's actions in its parent's.
  ///   - boundary: tells the child's delegate actions.
  ///   - child: the child's reducer.
  ///   - embed: makes the child's effect one of its parent's, in place.
  @usableFromInline
  init(
    offset: Int, finder: CaseFinder, boundary: RawBoundary, child: RawStep,
    embed: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    self.offset = offset
    self.finder = finder
    self.boundary = boundary
    self.child = .passUnretained(child)
    owned = child
    self.embed = embed
    super.init(noting: Void.self, leavesAlways: false)
  }

  override func enter(_ run: inout DescentRun) {
    guard let action = finder.find(&run), !boundary.isDelegate(at: action) else {
      run.next = nil
      return
    }
    run.push(self)
    run.goOn(child, run.state + offset, action)
  }

  override func leave(_ note: UnsafeMutableRawPointer, _ run: inout DescentRun) {
    embed(&run.effect)
  }
}
