extension CasePath {
  /// The path of a case's constructor, for places where `/` is parsed as a regular expression, as
  /// in `f(/A.b, /C.d)`.
  ///
  /// ```swift
  /// enum Child: ComponentAction { case tapped }
  /// enum Action: ComponentAction { case child(Child) }
  ///
  /// let path = CasePath(Action.child)
  /// ```
  public init(_ embed: @escaping @Sendable (Value) -> Root) { self.init(reflecting: embed) }

  /// The path into a case of this path's value.
  public func appending<Inner>(_ inner: CasePath<Value, Inner>) -> CasePath<Root, Inner> {
    CasePath<Root, Inner>(
      embed: { embed(inner.embed($0)) },
      extract: { extract($0).flatMap { inner.extract($0) } })
  }

  /// Whether `root` is in this path's case.
  public func `is`(_ root: Root) -> Bool {
    guard let locator, case let tag = locator.knownTag, tag >= 0 else { return hasValue(root) }
    return tag == locator.metadata.witnesses.tag(of: root)
  }

  // Not inlined: a function that has the value as a variable looks its type up.
  @inline(never)
  private func hasValue(_ root: Root) -> Bool { extract(root) != nil }

  /// Changes the value of this path's case.
  ///
  /// - Returns: the result of `body`; `nil` if `root` is in another case.
  @discardableResult
  public func modify<Result>(
    _ root: inout Root, _ body: (inout Value) throws -> Result
  ) rethrows -> Result? {
    guard var value = extract(root) else { return nil }
    let result = try body(&value)
    root = embed(value)
    return result
  }
}

extension CasePath where Value == Void {
  /// The path of a case without a payload: `CasePath(case: Action.refresh)`.
  public init(case root: Root) where Root: Sendable {
    guard let metadata = EnumMetadata(Root.self) else {
      self.init(embed: { root }, extract: { _ in nil })
      return
    }
    let tag = metadata.tag(of: root)
    self.init(embed: { root }, extract: { metadata.tag(of: $0) == tag ? () : nil })
  }
}

extension Optional {
  /// The payload of one case of an enum, to read or change:
  /// `state.destination[/Destination.detail]`.
  ///
  /// ```swift
  /// struct Detail { var title: String }
  /// enum Destination { case detail(Detail), about }
  ///
  /// var destination: Destination? = .detail(Detail(title: "Milk"))
  /// destination[/Destination.detail]?.title = "Oat milk"
  /// ```
  ///
  /// It is `nil` if the enum is in another case, or is `nil` itself. Setting it to `nil` sets the
  /// enum to `nil`. Setting a value while the enum is not in the case is reported and changes
  /// nothing.
  public subscript<Value>(path: CasePath<Wrapped, Value>) -> Value? {
    get { flatMap(path.extract) }
    _modify {
      var value = flatMap(path.extract)
      guard value != nil else {
        yield &value
        if value != nil { RuntimeIssue.report("a value was set in a case that an enum is not in") }
        return
      }
      // Released meanwhile: a second reference from the enum would make the change copy the value.
      self = nil
      defer { self = value.map(path.embed) }
      yield &value
    }
  }
}
