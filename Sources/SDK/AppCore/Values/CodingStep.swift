/// A key as part of a path, made when an error needs it: to copy and destroy a key of a type that is
/// not known takes longer than to code a number.
struct CodingStep {
  private let name: String
  private let index: Int
  private let type: any CodingKey.Type

  /// The key of a type with a name.
  init(name: String, type: any CodingKey.Type) {
    self.name = name
    index = 0
    self.type = type
  }

  /// The place of an element in a list.
  init(index: Int) {
    name = ""
    self.index = index
    type = IndexKey.self
  }

  var key: any CodingKey {
    if type == IndexKey.self, name.isEmpty { return IndexKey(index) }
    return type.init(stringValue: name) ?? NameKey(stringValue: name)
  }

  /// The name of a key that its own type does not know.
  private struct NameKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
