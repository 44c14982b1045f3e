/// The place of an element in a list, counted from 0, as part of an error's path.
struct IndexKey: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { String(index) }

  init(_ index: Int) { self.index = index }
  init(intValue: Int) { index = intValue }

  init?(stringValue: String) {
    guard let index = Int(stringValue) else { return nil }
    self.index = index
  }
}
