// Carrying an instance over to another build of its feature.
@_spi(Host)
extension LoadedFeature {
  /// Converts the state of an instance of an earlier build to this feature's state.
  ///
  /// The encoded form is never shown, so it keeps secrets and the identifiers of stacks' elements.
  /// If the versions differ, or the form does not fit, the feature's `migrate` is called.
  ///
  /// - Parameters:
  ///   - state: the state; it is not changed.
  ///   - former: the former build's feature, to which the state belongs.
  ///   - versions: the plugins' versions, the former one first.
  /// - Returns: the state for this feature.
  /// - Throws: any error of encoding or decoding the state, or of the feature's `migrate`.
  /// - Complexity: O(*n*), where *n* is the size of the state.
  public func takeOver(
    _ state: InstanceState, of former: LoadedFeature, versions: (former: String, own: String)
  ) throws -> InstanceState {
    let carried = try former.box.encode(state.box, for: .takingOver)
    if versions.former == versions.own, let made = try? box.take(over: carried) {
      return InstanceState(box: made)
    }
    // A state that can't be encoded for storage can't be passed to `migrate`.
    guard let old = try? former.encode(state) else {
      return InstanceState(box: try box.take(over: carried))
    }
    let migrated = try box.migrate(old, from: versions.former)
    if migrated == old { return InstanceState(box: try box.take(over: carried)) }
    if let made = try? box.decode(migrated) { return InstanceState(box: made) }
    // Fields that `migrate` has not set may be new; they get their defaults.
    return InstanceState(box: try box.decode(box.completed(migrated)))
  }

  /// Decodes a saved state, which another version may have written.
  ///
  /// - Parameters:
  ///   - old: the encoded state, from ``encode(_:)``.
  ///   - version: the version of the plugin that wrote it.
  ///   - isSameVersion: whether that is this plugin's own.
  /// - Returns: the state, and whether `migrate` was called for it.
  /// - Throws: any error of decoding the state, or of the feature's `migrate`.
  public func restore(
    _ old: Value, from version: String, isSameVersion: Bool
  ) throws -> (state: InstanceState, isMigrated: Bool) {
    if isSameVersion, let made = try? box.decode(old) { return (InstanceState(box: made), false) }
    let migrated = try box.migrate(old, from: version)
    if let made = try? box.decode(migrated) { return (InstanceState(box: made), true) }
    // Fields that `migrate` has not set may be new; they get their defaults.
    return (InstanceState(box: try box.decode(box.completed(migrated))), true)
  }

  /// Whether a state belongs to this build of the feature and not to a former one.
  public func isOwn(_ state: InstanceState) -> Bool { box.isOwn(state.box) }

  /// The effects that an instance continues with after its plugin has been replaced or the app has
  /// been restored.
  public func didRestore(_ state: inout InstanceState) -> Effect<AnyAction> {
    box.didRestore(&state.box)
  }
}
