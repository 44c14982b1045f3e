/// Names the case that an enum value is in.
@_spi(Host)
public enum EnumCase {
  /// The case's name as written in the source; `nil` if the value's type is not an enum.
  public static func name<Value>(of value: Value) -> String? {
    guard let metadata = EnumMetadata(Value.self) else { return nil }
    let tag = metadata.tag(of: value)
    return metadata.cases.indices.contains(tag) ? metadata.cases[tag].name : nil
  }
}
