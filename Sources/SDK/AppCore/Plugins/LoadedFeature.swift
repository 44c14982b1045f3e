/// A loaded feature behind a type-erased interface for the host.
@_spi(Host)
public typealias LoadedFeature = any AnyFeature

/// A feature whose types only its plugin knows; the host passes states and actions back unchanged.
///
/// Belongs to one app and is used only on that app's store thread.
@_spi(Host)
public protocol AnyFeature: AnyObject {
  /// The feature's description.
  var info: FeatureInfo { get }

  /// The state of a new instance.
  ///
  /// - Throws: `DecodingError` if `arguments` do not fit, and what the feature throws.
  func makeState(_ arguments: Value) throws -> InstanceState

  /// Changes the state in response to an action of this feature.
  ///
  /// - Complexity: that of the feature's reducer. Nothing else is allocated, except for an effect
  ///   or if the state is shared.
  func reduce(_ state: inout InstanceState, _ action: AnyAction) -> FeatureOutcome

  /// The effects that a new instance starts with.
  func didStart(_ state: inout InstanceState) -> Effect<AnyAction>

  /// The effects that an instance continues with after its plugin has been replaced or the app has
  /// been restored.
  func didRestore(_ state: inout InstanceState) -> Effect<AnyAction>

  /// The effects that an instance ends with when it is removed or the app ends.
  func willEnd(_ state: inout InstanceState) -> Effect<AnyAction>

  /// The screen for the state.
  func screen(_ state: InstanceState) -> ErasedScreen

  /// The name and the payload of a delegate action; `nil` for other kinds of actions.
  ///
  /// - Throws: any error of encoding the action.
  func delegate(of action: AnyAction) throws -> (name: String, payload: Value)?

  /// Creates the input action of the case `name`.
  ///
  /// - Throws: `DecodingError` if there is no such case or `payload` does not fit.
  func input(_ name: String, payload: Value) throws -> AnyAction

  /// Creates the delegate action of the case `name`, as the feature itself would emit it.
  ///
  /// - Throws: `DecodingError` if there is no such case or `payload` does not fit.
  func delegate(_ name: String, payload: Value) throws -> AnyAction

  /// The action of its structural form.
  ///
  /// - Returns: `nil` where a part of the feature's actions has no structural form.
  /// - Throws: `DecodingError` where the form does not fit.
  func action(_ coded: Value) throws -> AnyAction?

  /// Encodes the state with its secrets, for ``decode(_:)``; the result must not be shown.
  func encode(_ state: InstanceState) throws -> Value

  /// Encodes the state for people to read: a secret becomes `"<secret>"`.
  func dump(_ state: InstanceState) throws -> Value

  /// Encodes the state for ``decodeCarried(_:)`` of another build.
  func encodeCarried(_ state: InstanceState) throws -> Value

  /// Decodes a state from the form that ``encode(_:)`` returns.
  func decode(_ state: Value) throws -> InstanceState

  /// Decodes a state that another build has encoded for carrying it over.
  func decodeCarried(_ state: Value) throws -> InstanceState

  /// `state`, with the defaults of missing fields if the state's type is ``Defaulted``.
  func completed(_ state: Value) -> Value

  /// Converts a state that another version has encoded to the form of this version.
  func migrate(_ old: Value, from version: String) throws -> Value

  /// Whether a state belongs to this build of the feature and not to a former one.
  func isOwn(_ state: InstanceState) -> Bool
}

// Carrying an instance over to another build of its feature.
@_spi(Host)
extension AnyFeature {
  /// Converts the state of an instance of an earlier build to this feature's state.
  ///
  /// The encoded form is never shown, so it keeps secrets and the identifiers of stacks' elements.
  /// If the versions differ, or the form does not fit, the feature's `migrate` is called.
  ///
  /// - Throws: any error of encoding or decoding the state, or of the feature's `migrate`.
  /// - Complexity: O(*n*), where *n* is the size of the state.
  public func takeOver(
    _ state: InstanceState, of former: LoadedFeature, versions: (former: String, own: String)
  ) throws -> InstanceState {
    let carried = try former.encodeCarried(state)
    if versions.former == versions.own, let made = try? decodeCarried(carried) { return made }
    // A state that can't be encoded for storage can't be passed to `migrate`.
    guard let old = try? former.encode(state) else { return try decodeCarried(carried) }
    let migrated = try migrate(old, from: versions.former)
    return migrated == old ? try decodeCarried(carried) : try decodeMigrated(migrated)
  }

  /// Decodes a saved state, which another version may have written.
  ///
  /// - Returns: the state, and whether `migrate` was called for it.
  /// - Throws: any error of decoding the state, or of the feature's `migrate`.
  public func restore(
    _ old: Value, from version: String, isSameVersion: Bool
  ) throws -> (state: InstanceState, isMigrated: Bool) {
    if isSameVersion, let made = try? decode(old) { return (made, false) }
    return (try decodeMigrated(migrate(old, from: version)), true)
  }

  private func decodeMigrated(_ migrated: Value) throws -> InstanceState {
    if let made = try? decode(migrated) { return made }
    // Fields that `migrate` has not set may be new; they get their defaults.
    return try decode(completed(migrated))
  }
}

/// The state of one instance: a copy-on-write reference.
@_spi(Host)
@frozen
public struct InstanceState: Sendable {
  @usableFromInline var box: AnyStateBox

  init(box: AnyStateBox) { self.box = box }

  /// Whether both share one box: neither has been written since one was copied from the other.
  public func isIdentical(to other: InstanceState) -> Bool { box === other.box }
}

/// A feature's screen with type-erased actions.
@_spi(Host)
public typealias ErasedScreen = AssembledScreen<AnyAction>
