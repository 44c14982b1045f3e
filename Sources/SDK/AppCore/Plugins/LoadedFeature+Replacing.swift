// How an instance goes over to another build of its feature.
@_spi(Host)
extension LoadedFeature {
  /// Converts the state of an instance of an earlier build to this feature's state.
  ///
  /// The encoded form is never shown, so it keeps secrets and the identifiers of stacks' elements.
  /// If the versions differ, or the form does not fit, the feature's `migrate` is called.
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
    // A state without an encoded form can't be converted.
    guard let old = try? former.encode(state) else {
      return InstanceState(box: try box.take(over: carried))
    }
    let migrated = try box.migrate(old, from: versions.former)
    if migrated == old { return InstanceState(box: try box.take(over: carried)) }
    if let made = try? box.decode(migrated) { return InstanceState(box: made) }
    // What `migrate` does not name may be new as well.
    return InstanceState(box: try box.decode(box.completed(migrated)))
  }

  /// The state of a structural form that was kept, which another version may have written.
  ///
  /// - Parameters:
  ///   - old: the form, as ``encode(_:)`` gave it.
  ///   - version: the version of the plugin that wrote it.
  ///   - isSameVersion: whether that is this plugin's own.
  /// - Returns: the state, and whether `migrate` had to bring it to this feature's form.
  /// - Throws: what the feature's coding and its `migrate` throw.
  public func restore(
    _ old: Value, from version: String, isSameVersion: Bool
  ) throws -> (state: InstanceState, isMigrated: Bool) {
    if isSameVersion, let made = try? box.decode(old) { return (InstanceState(box: made), false) }
    let migrated = try box.migrate(old, from: version)
    if let made = try? box.decode(migrated) { return (InstanceState(box: made), true) }
    // What `migrate` does not name may be new.
    return (InstanceState(box: try box.decode(box.completed(migrated))), true)
  }

  /// Whether a state is one of this feature, and not of a former build.
  public func isOwn(_ state: InstanceState) -> Bool { box.isOwn(state.box) }

  /// The effects that an instance continues with after a replacement.
  public func didRestore(_ state: inout InstanceState) -> Effect<AnyAction> {
    box.didRestore(&state.box)
  }
}
