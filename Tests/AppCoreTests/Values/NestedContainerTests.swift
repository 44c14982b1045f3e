import AppCore
import Testing

@Suite("Nested containers of hand-written coding")
struct NestedContainerTests {
  class Base: Codable {
    var identifier: Int
    init(identifier: Int) { self.identifier = identifier }
  }

  final class Derived: Base {
    var title: String
    private enum Keys: String, CodingKey { case title }

    init(identifier: Int, title: String) {
      self.title = title
      super.init(identifier: identifier)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      title = try container.decode(String.self, forKey: .title)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(title, forKey: .title)
      try super.encode(to: container.superEncoder())
    }
  }

  struct Grid: Codable, Equatable {
    var rows: [[Int]]
    var width: Int
    var height: Int
    private enum Keys: String, CodingKey { case rows, size }
    private enum SizeKeys: String, CodingKey { case width, height }

    init(rows: [[Int]], width: Int, height: Int) {
      self.rows = rows
      self.width = width
      self.height = height
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let size = try container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
      width = try size.decode(Int.self, forKey: .width)
      height = try size.decode(Int.self, forKey: .height)
      var lines = try container.nestedUnkeyedContainer(forKey: .rows)
      rows = []
      while !lines.isAtEnd {
        var line = try lines.nestedUnkeyedContainer()
        var row: [Int] = []
        while !line.isAtEnd { row.append(try line.decode(Int.self)) }
        rows.append(row)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      var width = container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
      var lines = container.nestedUnkeyedContainer(forKey: .rows)
      try width.encode(self.width, forKey: .width)
      for row in rows {
        var line = lines.nestedUnkeyedContainer()
        for number in row { try line.encode(number) }
      }
      // The same container, asked for again.
      var height = container.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
      try height.encode(self.height, forKey: .height)
    }
  }

  @Test("Containers may be filled after their parent went on, and be asked for twice")
  func nested() throws {
    let grid = Grid(rows: [[1, 2], [], [3]], width: 2, height: 3)
    let value = try ValueEncoder().encode(grid)
    #expect(value == ["rows": [[1, 2], [], [3]], "size": ["width": 2, "height": 3]])
    #expect(try ValueDecoder().decode(Grid.self, from: value) == grid)
  }

  @Test("A failed encoding leaves nothing behind where its error is caught")
  func caughtError() throws {
    struct Lenient: Encodable {
      enum Keys: String, CodingKey { case good, bad, list }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .good)
        #expect(throws: EncodingError.self) {
          try container.encode(["a": [UInt64.max]], forKey: .bad)
        }
        var list = container.nestedUnkeyedContainer(forKey: .list)
        #expect(throws: EncodingError.self) { try list.encode([1, UInt64.max]) }
        try list.encode("next")
      }
    }
    #expect(try ValueEncoder().encode(Lenient()) == ["good": 1, "list": ["next"]])
  }

  @Test("A class and its superclass share one value")
  func inheritance() throws {
    let value = try ValueEncoder().encode(Derived(identifier: 5, title: "t"))
    #expect(value == ["title": "t", "super": ["identifier": 5]])
    let decoded = try ValueDecoder().decode(Derived.self, from: value)
    #expect(decoded.identifier == 5)
    #expect(decoded.title == "t")
  }
}
