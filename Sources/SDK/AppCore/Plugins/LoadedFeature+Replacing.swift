// How an instance goes over to another build of its feature.
@_spi(Host)
extension LoadedFeature {
  /// The state that an instance of a former build has, as this feature's.
  ///
  /// Nobody sees it on the way: secrets are kept, and so are the identifiers of stacks' elements.
  /// Where the versions differ, or the form does not fit, the feature's `migrate` is asked.
  ///
  /// - Parameters:
  ///   - state: the state; it is not changed.
  ///   - former: the feature whose it is.
  ///   - versions: the plugins' versions, the former one first.
  /// - Returns: the state for this feature.
  /// - Throws: what the feature's coding and its `migrate` throw.
  /// - Complexity: O(n) in the size of the state.
  public func takeOver(
    _ state: InstanceState, of former: LoadedFeature, versions: (former: String, own: String)
  ) throws -> InstanceState {
    let carried = try former.box.encode(state.box, for: .takingOver)
    if versions.former == versions.own, let made = try? box.take(over: carried) {
      return InstanceState(box: made)
    }
    // A state without a stored form is none that could be brought to another one.
    guard let old = try? former.encode(state) else {
      return InstanceState(box: try box.take(over: carried))
    }
    let migrated = try box.migrate(old, from: versions.former)
    if migrated == old { return InstanceState(box: try box.take(over: carried)) }
    if let made = try? box.decode(migrated) { return InstanceState(box: made) }
    // What `migrate` does not name may be new as well.
    return InstanceState(box: try box.decode(box.completed(migrated)))
  }

  /// Whether a state is one of this feature, and not of a former build.
  public func isOwn(_ state: InstanceState) -> Bool { box.isOwn(state.box) }

  /// The effects that an instance goes on with after it was taken over.
  public func didRestore(_ state: inout InstanceState) -> Effect<AnyAction> {
    box.didRestore(&state.box)
  }
}
