extension CasePath {
  /// The path of a case's constructor, where `/Action.child` can't be read: `f(/A.b, /C.d)`.
  ///
  /// ```swift
  /// enum Child: ComponentAction { case tapped }
  /// enum Action: ComponentAction { case child(Child) }
  ///
  /// let path = CasePath(Action.child)
  /// ```
  public init(_ embed: @escaping @Sendable (Value) -> Root) { self.init(reflecting: embed) }

  /// The path into a case of what this path's case holds.
  public func appending<Inner>(_ inner: CasePath<Value, Inner>) -> CasePath<Root, Inner> {
    CasePath<Root, Inner>(
      embed: { embed(inner.embed($0)) },
      extract: { extract($0).flatMap { inner.extract($0) } })
  }

  /// Whether `root` is in this path's case.
  public func `is`(_ root: Root) -> Bool { extract(root) != nil }

  /// Changes the value of this path's case.
  ///
  /// - Returns: what `body` returned; `nil` where `root` is in another case.
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
  /// The path of a case that holds nothing: `CasePath(case: Action.refresh)`.
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
  /// What is in one case of an enum, to be read and changed: `state.destination[/Destination.detail]`.
  ///
  /// ```swift
  /// struct Detail { var title: String }
  /// enum Destination { case detail(Detail), about }
  ///
  /// var destination: Destination? = .detail(Detail(title: "Milk"))
  /// destination[/Destination.detail]?.title = "Oat milk"
  /// ```
  ///
  /// It is `nil` where there is another case, or nothing. Setting `nil` removes what is in the case;
  /// setting a value where there is another case changes nothing and is reported.
  public subscript<Value>(path: CasePath<Wrapped, Value>) -> Value? {
    get { flatMap(path.extract) }
    _modify {
      var value = flatMap(path.extract)
      guard value != nil else {
        yield &value
        if value != nil { Issue.report("a value was set in a case that an enum is not in") }
        return
      }
      // Let go of meanwhile: a value that the enum held as well would be copied.
      self = nil
      defer { self = value.map(path.embed) }
      yield &value
    }
  }
}
