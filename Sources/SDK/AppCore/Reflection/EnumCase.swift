/// Names the case that an enum value is in.
@_spi(Host)
public enum EnumCase {
  /// The case's name as written in the source; `nil` if the value's type is not an enum.
  public static func name(of value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? {
      guard let metadata = EnumMetadata(Value.self) else { return nil }
      let tag = metadata.tag(of: value)
      return metadata.cases.indices.contains(tag) ? metadata.cases[tag].name : nil
    }
    return _openExistential(value, do: name)
  }

  /// The name of the case that a path leads to.
  ///
  /// - Returns: several names if the payloads of several cases are of one type and no value was
  ///   extracted yet; none for a path of custom functions.
  public static func names<Root, Value>(of path: CasePath<Root, Value>) -> [String] {
    path.locator?.caseNames ?? []
  }
}
