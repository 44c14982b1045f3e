@_spi(Host) import AppCore
import Foundation
import Testing

/// How a state goes over from one build of a feature to another; the builds are two types here.
@Suite("A state that goes over to another build")
struct CarriedStateTests {
  private func carry<Old: Codable & Sendable, New: Codable & Sendable>(
    _ state: Value, from old: Old.Type, to new: New.Type
  ) throws -> Value {
    let former = try #require(
      LoadedPlugin(CarriedPlugin<Old>.self).instantiate(configuration: [:]).first)
    let later = try #require(
      LoadedPlugin(CarriedPlugin<New>.self).instantiate(configuration: [:]).first)
    let taken = try later.takeOver(
      former.decode(state), of: former, versions: (former: "1", own: "1"))
    return try later.encode(taken)
  }

  struct Plain: Codable, Sendable, Equatable {
    enum Mode: String, Codable, Sendable { case reading, editing }
    enum Shape: Codable, Equatable, Sendable { case point, circle(radius: Double) }
    var title = "a title that is longer than fifteen bytes"
    var count = UInt64.max >> 1
    var small: Int8 = -8
    var ratio: Float = 0.5
    var mode = Mode.editing
    var shapes: [Shape] = [.point, .circle(radius: 2)]
    var names = ["b": ["x", "y"], "a": []]
    var nothing: Int?
    var something: Int? = 3
    var value: Value = ["free": [1, nil, "text"]]
    @Presented var child: Child?
  }
  struct Child: Codable, Equatable, Sendable { var id = 7 }

  @Test("A state of the same form is carried over as it is")
  func same() throws {
    var state = Plain()
    state.child = Child()
    let value = try ValueEncoder().encode(state)
    #expect(try carry(value, from: Plain.self, to: Plain.self) == value)
  }

  struct Before: Codable, Sendable {
    var first = 1
    var second = "two"
    var third = [3, 4]
    var gone = true
  }
  struct After: Codable, Sendable, Defaulted {
    var third: [Int] = []
    var added = "new"
    var second = ""
    var first = 0
    var optional: Int?
  }

  @Test("Fields go over in any order, what is gone is left out, and what is new has its default")
  func other() throws {
    let value = try ValueEncoder().encode(Before())
    #expect(
      try carry(value, from: Before.self, to: After.self) == [
        "first": 1, "second": "two", "third": [3, 4], "added": "new",
      ])
  }

  struct Limited: Codable, Equatable, Sendable, Defaulted {
    var limit: Int? = 5
    var other: Int?
    var title = "all"
  }
  struct Required: Codable, Sendable, Defaulted { var limit = 3 }

  @Test("A field that is nil and has a default stays nil; one that is absent has its default")
  func absent() throws {
    #expect(
      try carry(["title": "none"], from: Limited.self, to: Limited.self)
        == ["limit": nil, "title": "none"])
    #expect(try carry(["title": "none"], from: Limited.self, to: Required.self) == ["limit": 3])
    #expect(
      try carry(["updates": 3], from: OneUpdate.self, to: Limited.self)
        == ["limit": 5, "title": "all"])
    // A saved state as well, where another field is new.
    let feature = try #require(
      LoadedPlugin(CarriedPlugin<Limited>.self).instantiate(configuration: [:]).first)
    var saved = try feature.encode(feature.decode(["title": "none"]))
    saved["title"] = nil
    let restored = try feature.restore(saved, from: "1", isSameVersion: true).state
    #expect(try feature.encode(restored) == ["limit": nil, "title": "all"])
  }

  enum Page: Codable, Sendable, Defaulted {
    case list(scroll: Int), detail(name: String)
    init() { self = .list(scroll: 0) }
  }

  @Test("An enum with a default goes over as it is")
  func defaultedEnum() throws {
    let value: Value = ["detail": ["name": "a"]]
    #expect(try carry(value, from: Page.self, to: Page.self) == value)
  }

  struct OneUpdate: Codable, Sendable { var updates = 3 }

  @Test("A field that 'migrate' says nothing of has its default, as without 'migrate'")
  func migratedAndDefaulted() throws {
    let former = try #require(
      LoadedPlugin(CarriedPlugin<OneUpdate>.self).instantiate(configuration: [:]).first)
    let later = try #require(LoadedPlugin(UpdatesPlugin.self).instantiate(configuration: [:]).first)
    for version in ["1", "2"] {
      let taken = try later.takeOver(
        former.decode(["updates": 3]), of: former, versions: (former: "1", own: version))
      #expect(try later.encode(taken) == ["updates": [3], "note": "hi"])
    }
  }

  struct Many: Codable, Sendable {
    var fields: [String: Int]
    init(from decoder: any Decoder) throws { fields = try .init(from: decoder) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      // Of two values under one name the last one stands, wherever the first one was.
      for name in fields.keys { try container.encode(-1, forKey: Name(stringValue: name)) }
      for (name, value) in fields { try container.encode(value, forKey: Name(stringValue: name)) }
    }
  }
  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("Names that are written twice have the last value, few names or many", arguments: [3, 500])
  func twice(count: Int) throws {
    let value = Value.object(
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("name \($0)", .int($0)) }))
    #expect(try carry(value, from: Many.self, to: Many.self) == value)
  }

  struct Folder: Codable, Sendable { var folders: [Folder] }

  @Test("A state may be nested 2000 levels deep", arguments: [(999, true), (1000, false)])
  func deep(folders: Int, fits: Bool) async {
    // Coding is recursion: the test's own stack is large enough in any build.
    let outcome = await withCheckedContinuation { continuation in
      let thread = Thread {
        // Each folder is two levels: its field, and its place in the list.
        let value = (0..<folders).reduce(["folders": []] as Value) { inner, _ in
          ["folders": [inner]]
        }
        do {
          let isSame = try carry(value, from: Folder.self, to: Folder.self) == value
          continuation.resume(returning: isSame ? "" : "another value")
        } catch {
          continuation.resume(returning: "\(error)")
        }
      }
      thread.stackSize = 256 << 20
      thread.start()
    }
    #expect(fits ? outcome.isEmpty : outcome.contains("it is nested deeper than 2000 levels"))
  }

  struct Free: Codable, Sendable {
    var value: Value
    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test(
    "A state that is coded as one value goes over",
    arguments: [["a": [1, 2.5]], "text", 5, nil, [], [:]] as [Value])
  func single(value: Value) throws {
    #expect(try carry(value, from: Free.self, to: Free.self) == value)
  }

  struct Wrong: Codable, Sendable { var third: [String] }

  @Test("A value that does not fit is reported with its path")
  func wrong() throws {
    let value = try ValueEncoder().encode(Before())
    let error = try #require(throws: DecodingError.self) {
      try carry(value, from: Before.self, to: Wrong.self)
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["third", "0"])
    #expect(context.codingPath.last?.intValue == 0)
    #expect(context.debugDescription == "expected String, found an integer")
  }
}

private struct CarriedPlugin<State: Codable & Sendable>: Plugin {
  static var name: String { "Carried" }
  static var version: String { "1" }
  init(configuration: NoConfiguration) {}
  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Carried<State>.self) { _ in Carried() }
  }
}

private struct Carried<State: Codable & Sendable>: Feature {
  enum Action: FeatureAction {}
  struct NoState: Error {}
  func initialState(_ arguments: NoArguments) throws -> State { throw NoState() }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {}
  func screen(_ state: State) -> Screen<Action> { Screen("Carried") { _ in } }
}

private struct UpdatesPlugin: Plugin {
  static let name = "Updates"
  static let version = "2"
  init(configuration: NoConfiguration) {}
  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Updates.self) { _ in Updates() }
  }
}

private struct Updates: Feature {
  struct State: Codable, Sendable, Defaulted {
    var updates: [Int] = []
    var note = "hi"
  }
  enum Action: FeatureAction {}
  func initialState(_ arguments: NoArguments) -> State { State() }
  static func migrate(_ old: Value, from version: String) -> Value {
    ["updates": .array([old["updates"] ?? 0])]
  }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {}
  func screen(_ state: State) -> Screen<Action> { Screen("Updates") { _ in } }
}
