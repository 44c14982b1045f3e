import AppCore
import Testing

@Suite("ValueEncoder and ValueDecoder")
struct ValueCodingTests {
  struct Address: Codable, Hashable {
    var street: String
    var number: Int?
  }

  struct Person: Codable, Hashable {
    var name: String
    var ratio: Double
    var height: Float
    var isHere: Bool
    var addresses: [Address]
    var marks: [String: [UInt8]]
    var nothing: String?

    enum CodingKeys: String, CodingKey {
      case name = "full-name"
      case ratio, height, isHere, addresses, marks, nothing
    }
  }

  @Test("Equal sets and dictionaries are encoded alike, however they came to be")
  func unordered() throws {
    let names = (0..<100).map { "name \($0)" }
    var grown: Set<String> = []
    for name in names.reversed() { grown.insert(name) }
    var roomy = Set<String>(minimumCapacity: 5000)
    roomy.formUnion(names)
    let value = try ValueEncoder().encode(grown)
    #expect(value == .array(names.sorted().map { .string($0) }))
    #expect(try ValueEncoder().encode(roomy) == value)
    #expect(try ValueDecoder().decode(Set<String>.self, from: value) == grown)

    var marks: [Double: [String]] = [:]
    for number in (0..<100).reversed() { marks[Double(number)] = ["b", "a\(number)"] }
    let pairs = try ValueEncoder().encode([marks])
    let expected = (0..<100).flatMap { number -> [Value] in
      [.double(Double(number)), .array([.string("b"), .string("a\(number)")])]
    }
    #expect(pairs == .array([.array(expected)]))
    #expect(try ValueDecoder().decode([[Double: [String]]].self, from: pairs) == [marks])
    #expect(try ValueEncoder().encode(["b", "a"]) == .array([.string("b"), .string("a")]))
  }

  indirect enum Shape: Codable, Hashable, Sendable {
    case point
    case circle(Double)
    case box(width: Int, height: Int)
    case pair(Int, String)
    case named(name: String)
    case maybe(Int?)
    case group([Shape])
    case moved(Shape, by: Int)
  }

  enum Plain: Codable, Hashable { case first, second }
  enum Raw: String, Codable, Hashable { case red = "r", green }
  enum Level: Int, Codable, Hashable { case low = 1, high = 9 }

  private func roundTrip<T: Codable & Equatable>(_ value: T) throws -> Value {
    let encoded = try ValueEncoder().encode(value)
    #expect(try ValueDecoder().decode(T.self, from: encoded) == value)
    return encoded
  }

  @Test("A struct becomes an object under its coding keys, without its absent optionals")
  func structs() throws {
    let person = Person(
      name: "Ada", ratio: 0.5, height: 1.75, isHere: true,
      addresses: [Address(street: "Main", number: 3), Address(street: "Side", number: nil)],
      marks: ["a": [1, 255], "b": []], nothing: nil)
    #expect(
      try roundTrip(person) == [
        "full-name": "Ada", "ratio": 0.5, "height": 1.75, "isHere": true,
        "addresses": [["street": "Main", "number": 3], ["street": "Side"]],
        "marks": ["a": [1, 255], "b": []],
      ])
  }

  private static let boxed: [Shape: Value] = [
    .point: ["point": [:]],
    .circle(2): ["circle": ["_0": 2.0]],
    .box(width: 1, height: 2): ["box": ["width": 1, "height": 2]],
    .pair(1, "x"): ["pair": ["_0": 1, "_1": "x"]],
    .named(name: "n"): ["named": ["name": "n"]],
    .maybe(4): ["maybe": ["_0": 4]],
    .maybe(nil): ["maybe": [:]],
    .group([.point, .point]): ["group": ["_0": [["point": [:]], ["point": [:]]]]],
    .moved(.point, by: 3): ["moved": ["_0": ["point": [:]], "by": 3]],
  ]

  @Test("A case with values becomes an object of its name and values")
  func payloads() throws {
    for (shape, expected) in Self.boxed { #expect(try roundTrip(shape) == expected) }
  }

  @Test("An enum whose cases carry nothing is one string, as its schema says")
  func plainEnums() throws {
    #expect(try roundTrip(Plain.second) == "second")
    #expect(try roundTrip([Plain.first, .second]) == ["first", "second"])
    #expect(try roundTrip(["key": Plain.first]) == ["key": "first"])
    #expect(try roundTrip(Raw.red) == "r")
    #expect(try roundTrip(Level.high) == 9)
    #expect(try roundTrip(Plain?.some(.first)) == "first")
  }

  @Test("The case of an enum that carries nothing is decoded from both of its forms")
  func bothForms() throws {
    #expect(try ValueDecoder().decode(Plain.self, from: ["first": [:]]) == .first)
    #expect(try ValueDecoder().decode(Shape.self, from: "point") == .point)
  }

  @Test("A string is not an object, and an unknown case is refused")
  func refusedStrings() {
    #expect(throws: DecodingError.self) {
      try ValueDecoder().decode(Address.self, from: "street")
    }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Plain.self, from: "third") }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Raw.self, from: "red") }
  }

  @Test("Optionals at the top, in lists and in dictionaries keep their nulls")
  func optionals() throws {
    #expect(try roundTrip(Int?.none) == .null)
    #expect(try roundTrip([1, nil, 3] as [Int?]) == [1, nil, 3])
    #expect(try roundTrip(["a": nil, "b": "x"] as [String: String?]) == ["a": nil, "b": "x"])
  }

  @Test("Dictionaries are objects where their keys can be coded, and lists otherwise")
  func dictionaries() throws {
    #expect(try roundTrip([7: "seven"]) == ["7": "seven"])
    #expect(try roundTrip([true: 1]) == [true, 1])
  }

  @Test("A value inside a type is kept as it is")
  func values() throws {
    struct Holder: Codable, Hashable { var value: Value }
    let value: Value = ["list": [1, 2.5, nil, "x", true, [:]]]
    #expect(try roundTrip(Holder(value: value)) == ["value": value])
    #expect(try roundTrip(value) == value)
  }

  @Test("Every integer type takes what fits, at both of its ends")
  func integers() throws {
    func ends<I: FixedWidthInteger & Codable>(_ type: I.Type) throws {
      #expect(try roundTrip(I.min) == .int(Int(I.min)))
      guard let most = Int(exactly: I.max) else { return }
      #expect(try roundTrip(I.max) == .int(most))
      guard most < Int.max else { return }
      #expect(throws: DecodingError.self) {
        try ValueDecoder().decode(I.self, from: .int(most + 1))
      }
    }
    try ends(Int.self)
    try ends(Int8.self)
    try ends(Int16.self)
    try ends(Int32.self)
    try ends(Int64.self)
    try ends(UInt8.self)
    try ends(UInt16.self)
    try ends(UInt32.self)
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(UInt.self, from: -1) }
  }

  @Test("An integer stands for a floating-point number, and never the other way round")
  func numbers() throws {
    #expect(try ValueDecoder().decode(Double.self, from: 3) == 3)
    #expect(try ValueDecoder().decode(Float.self, from: 3) == 3)
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Int.self, from: 3.0) }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Bool.self, from: 1) }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(String.self, from: 1) }
  }
}
