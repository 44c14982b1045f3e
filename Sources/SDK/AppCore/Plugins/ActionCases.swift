/// Numbers the cases of an action type, and finds the number of an action's case.
///
/// A case whose payload is an enum, such as `view` with the view actions, counts as the cases of
/// that enum. Only the names of cases are used; other payloads are not read, so that no secret can
/// show.
@_spi(Host)
public final class ActionCases: Sendable {
  /// The names by number, such as `view.addTapped`; `action` alone if the type is not an enum.
  public let names: [String]
  private let type: ObjectIdentifier
  private let metadata: EnumMetadata?
  private let cases: [Case]

  private struct Case {
    /// The number of the case, or of the first case of its payload.
    let first: Int
    /// Reads the case of the payload; `nil` if the payload is not an enum.
    let inner: EnumWitnesses?
  }

  /// Numbers the cases of an action's type.
  public convenience init(of action: AnyAction) {
    self.init(action.box.actionType)
  }

  /// Numbers the cases of a type.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cases; the type of each payload is resolved.
  public init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
    metadata = EnumMetadata(type)
    var names: [String] = []
    var cases: [Case] = []
    for outer in metadata?.cases ?? [] {
      let inner = outer.payload.flatMap(Self.inner)
      cases.append(Case(first: names.count, inner: inner?.witnesses))
      names += inner.map { $0.cases.map { "\(outer.name).\($0.name)" } } ?? [outer.name]
    }
    self.names = metadata == nil ? ["action"] : names
    self.cases = cases
  }

  private static func inner(_ payload: Any.Type) -> EnumMetadata? {
    guard !EnumMetadata.isOptional(payload), let metadata = EnumMetadata(payload),
      !metadata.cases.isEmpty
    else { return nil }
    return metadata
  }

  /// The number of an action's case; `nil` if the action is of another type.
  public func number(of action: AnyAction) -> Int? {
    action.box.type == type ? action.box.number(in: self) : nil
  }

  /// The number of an action's case; the action must be of this object's type.
  public func number<Action>(of action: Action) -> Int {
    guard let metadata else { return 0 }
    let tag = metadata.tag(of: action)
    let first = cases[tag].first
    guard let inner = cases[tag].inner else { return first }
    return first + metadata.withPayload(of: action, tag: tag) { inner.tag(at: $0) }
  }
}
