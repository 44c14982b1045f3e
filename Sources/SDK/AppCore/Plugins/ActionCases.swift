/// The cases of one action type, numbered, and which of them an action is.
///
/// A case that carries an enum alone, as `view` carries the view actions, counts as the cases of
/// that enum. Only the names of cases are known here: what an action carries besides is not read,
/// so that no secret can show.
@_spi(Host)
public final class ActionCases: Sendable {
  /// The names by number, such as `view.addTapped`; `action` alone if the type is not an enum.
  public let names: [String]
  private let type: ObjectIdentifier
  private let metadata: EnumMetadata?
  private let cases: [Case]

  private struct Case {
    /// The number of the case, or of the first case of what it carries.
    let first: Int
    /// Tells the cases of what it carries.
    let inner: EnumTagReader?
  }

  /// The cases of an action's type.
  public convenience init(of action: AnyAction) {
    self.init(unsafeBitCast(action.box.type, to: Any.Type.self))
  }

  /// The cases of a type.
  ///
  /// - Complexity: linear in the cases; the type of each payload is resolved.
  public init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
    metadata = EnumMetadata(type)
    var names: [String] = []
    var cases: [Case] = []
    for outer in metadata?.cases ?? [] {
      let inner = outer.payload.flatMap(Self.inner)
      cases.append(Case(first: names.count, inner: inner?.tags))
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

  /// The number of the case that `action` is; `nil` if it is of another type.
  public func number(of action: AnyAction) -> Int? {
    action.box.type == type ? action.box.number(in: self) : nil
  }

  /// The number of the case that `action` is, which must be of the type.
  public func number<Action>(of action: Action) -> Int {
    guard let metadata else { return 0 }
    return withUnsafePointer(to: action) { pointer in
      let tag = metadata.tag(at: UnsafeRawPointer(pointer))
      guard let inner = cases[tag].inner else { return cases[tag].first }
      return cases[tag].first
        + metadata.withPayload(of: pointer, tag: tag) { inner.tag(at: $0) }
    }
  }
}
