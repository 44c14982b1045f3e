import Foundation
import Testing

@_spi(Host) @testable import AppCore

@Suite("Shared")
struct SharedTests {
  private struct Item: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var name: String
  }

  private struct Settings: Codable, Equatable, Sendable {
    var size = 12
    var title: String?
    var items: IdentifiedArray<Item> = [Item(id: 1, name: "a")]
  }

  private struct Counter: Codable, Equatable {
    @Shared(.inMemory("count")) var count = 0
  }

  /// Runs `body` with shared values of its own, and collects what is reported.
  private func alone(_ body: () throws -> Void) rethrows -> [String] {
    let collected = Guarded<[String]>([])
    try RuntimeIssue.handling(with: { collected.value += [$0] }) {
      try withDependencies {
        $0.sharedStorage = SharedStorage()
      } operation: {
        try body()
      }
    }
    return collected.value
  }

  @Test("Who uses the same key has the same value; another key is another value")
  func keys() {
    let reports = alone {
      let (one, other) = (Counter(), Counter())
      @Shared(.inMemory("other")) var elsewhere = 7
      one.$count.withLock { $0 = 3 }
      #expect(other.count == 3)
      #expect(elsewhere == 7)
      let result = other.$count.withLock { count in
        count += 1
        return "now \(count)"
      }
      #expect(result == "now 4")
      #expect(one == other)
    }
    #expect(reports == [])
  }

  @Test("A key with an initial value needs none where it is used")
  func defaults() {
    struct State {
      @Shared(.testRows) var rows
      @SharedReader(.testRows) var seen
      @Shared(.testRows) var other = ["ignored, since there is a value"]
    }
    _ = alone {
      let state = State()
      #expect(state.rows == ["first"])
      state.$rows.withLock { $0 = ["changed"] }
      #expect(state.seen == ["changed"])
      #expect(state.other == ["changed"])
    }
    _ = alone {
      @Shared(.testRows) var rows = ["own"]
      #expect(rows == ["own"])
    }
  }

  @Test("Values are compared, not references")
  func equality() {
    _ = alone {
      let (one, other) = (Shared(value: 1), Shared(value: 1))
      #expect(one == other)
      other.withLock { $0 = 2 }
      #expect(one != other)
      #expect(one.reader != other.reader)
    }
  }

  @Test("A property, what an optional holds, and an element are shared as well")
  func parts() throws {
    _ = try alone {
      @Shared(.inMemory("settings")) var settings = Settings()
      let size = $settings.size
      size.withLock { $0 += 1 }
      #expect(settings.size == 13)
      #expect(Shared($settings.title) == nil)
      $settings.withLock { $0.title = "one" }
      let title = try #require(Shared($settings.title))
      title.withLock { $0 += " two" }
      #expect(settings.title == "one two")
      let item = try #require($settings.items[id: 1])
      item.name.withLock { $0 += "b" }
      #expect(settings.items[id: 1]?.name == "ab")
      #expect($settings.items[id: 2] == nil)
      let reader = SharedReader($settings)
      #expect(reader.items.wrappedValue.count == 1)
    }
  }

  @Test("A part that is gone keeps its last value; changing it is reported")
  func goneParts() throws {
    let reports = try alone {
      @Shared(.inMemory("settings")) var settings = Settings()
      let item = try #require($settings.items[id: 1])
      #expect(item.wrappedValue.name == "a")
      $settings.withLock { _ = $0.items.remove(id: 1) }
      #expect(item.wrappedValue.name == "a")
      item.withLock { $0.name = "b" }
      #expect(settings.items.isEmpty)
    }
    #expect(reports.count == 1)
    #expect(
      reports.first?.contains(
        "a part of the shared value '.inMemory(\"settings\")' was changed after") == true)
  }

  @Test("Within a change the value and its parts are as they were before it")
  func readWithinChange() throws {
    let reports = try alone {
      @Shared(.inMemory("settings")) var settings = Settings()
      let item = try #require($settings.items[id: 1])
      let title = $settings.title
      $settings.withLock { new in
        new.title = "new"
        #expect(title.wrappedValue == nil)
        #expect(settings == Settings())
        _ = new.items.remove(id: item.id)
        #expect(item.wrappedValue.name == "a")
        #expect("\(settings)".contains("size: 12"))
      }
      #expect(settings.items.isEmpty)
      #expect(title.wrappedValue == "new")
    }
    #expect(reports == [])
  }

  @Test("A change of a value or a part within the value's own change is lost, and reported")
  func changeWithinChange() throws {
    let line = #line
    let reports = alone {
      @Shared(.inMemory("settings")) var settings = Settings()
      let size = $settings.size
      $settings.withLock { new in
        new.size = 1
        size.withLock { $0 += 1 }
        $settings.withLock { $0.title = "lost" }
      }
      #expect(settings == Settings(size: 1))
      size.withLock { $0 += 1 }
      #expect(settings.size == 2)
    }
    #expect(
      reports
        == [6, 7].map {
          """
          AppCoreTests/SharedTests.swift:\(line + $0): the shared value '.inMemory("settings")' \
          was changed within its own 'withLock'; that change is lost
            - change the argument of the outer closure instead
          """
        })
  }

  @Test("Who reads a value on another thread does not wait for a change of it")
  func readWhileChanging() throws {
    let count = Shared(value: 1)
    let seen = Guarded(0)
    let hasSeen = NSCondition()
    let reader = Thread {
      seen.value = count.wrappedValue
      hasSeen.lock()
      hasSeen.signal()
      hasSeen.unlock()
    }
    count.withLock { value in
      value = 2
      hasSeen.lock()
      reader.start()
      while seen.value == 0, hasSeen.wait(until: Date(timeIntervalSinceNow: 60)) {}
      hasSeen.unlock()
    }
    #expect(seen.value == 1)
    #expect(count.wrappedValue == 2)
  }

  @Test("A change that throws stays, and the error goes to the caller")
  func throwing() {
    struct Problem: Error {}
    _ = alone {
      let counter = Counter()
      #expect(throws: Problem.self) {
        try counter.$count.withLock { count throws(Problem) in
          count = 5
          throw Problem()
        }
      }
      #expect(counter.count == 5)
    }
  }

  @Test("Changes from many threads are not lost")
  func threads() async {
    let count = Shared(value: 0)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { count.withLock { $0 += 1 } } }
      }
    }
    #expect(count.wrappedValue == 4000)
  }

  @Test("The values come as a sequence, the latest of those that nobody has taken")
  func sequence() async {
    let count = Shared(value: 1)
    var values = count.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    count.withLock { $0 = 2 }
    count.withLock { $0 = 3 }
    #expect(await values.next() == 3)
  }

  @Test("A key with two types is reported, and the second has a value of its own")
  func twoTypes() {
    let reports = alone {
      @Shared(.inMemory("x")) var number = 1
      @Shared(.inMemory("x")) var text = "a"
      $text.withLock { $0 = "b" }
      #expect(number == 1)
      #expect(text == "b")
    }
    #expect(
      reports == [
        """
        the key '.inMemory("x")' is used with two types, Int and String
          - give one of them another key; until then it has a value of its own
        """
      ])
  }

  @Test("A value in memory is encoded with its key, and the latest encoded form is taken")
  func coding() throws {
    _ = try alone {
      let counter = Counter()
      counter.$count.withLock { $0 = 1 }
      let early = try ValueEncoder().encode(counter)
      #expect(
        early == [
          "count": ["inMemory": "count", "plugin": "", "value": 1, "edition": 2]
        ])
      counter.$count.withLock { $0 = 2 }
      let late = try ValueEncoder().encode(counter)
      // Where it is known, an older form says nothing new.
      let known = try ValueDecoder().decode(Counter.self, from: early)
      #expect(known.count == 2)
      // Another process reads images in any order.
      for order in [[early, late], [late, early]] {
        _ = try alone {
          let restored = try order.map { try ValueDecoder().decode(Counter.self, from: $0) }
          #expect(restored.map(\.count) == [2, 2])
          #expect(Counter().count == 2)
        }
      }
    }
  }

  @Test("A value that was never changed is carried over, whatever a state's default is")
  func carriedDefault() throws {
    struct Argued: Codable {
      @Shared var count: Int
      init(count: Int) { _count = Shared(wrappedValue: count, .inMemory("count")) }
    }
    var encoded = Value.null
    _ = try alone { encoded = try ValueEncoder().encode(Argued(count: 5)) }
    _ = try alone {
      let state = try ValueDecoder().decode(Counter.self, from: encoded)
      #expect(state.count == 5)
    }
  }

  @Test("People see the value alone")
  func forPeople() throws {
    _ = try alone {
      let shown = try ValueEncoder(redactsSecrets: true).encode(Counter())
      #expect(shown == ["count": 0])
      #expect(StateDump.lines(Counter()) == ["Counter(", "  count: 0", ")"])
    }
  }

  @Test("Two that shared a value without a key do so again")
  func unnamedCoding() throws {
    struct State: Codable { @Shared var count: Int }
    _ = try alone {
      let count = Shared(value: 4)
      let encoded = try [State(count: count), State(count: count)]
        .map { try ValueEncoder().encode($0) }
      _ = try alone {
        let states = try encoded.map { try ValueDecoder().decode(State.self, from: $0) }
        states[0].$count.withLock { $0 += 1 }
        #expect(states.map(\.count) == [5, 5])
      }
    }
  }

  @Test("A value whose type another build has changed is converted, or begins anew")
  func otherBuild() throws {
    struct Old: Codable, Sendable { var a = 1 }
    struct New: Codable, Equatable, Sendable, Defaulted { var a = 0, b = 2 }
    _ = try alone {
      @Shared(.inMemory("x")) var old = Old()
      let image = UnsafeRawPointer(bitPattern: 64)
      let new = Shared(wrappedValue: New(), .inMemory("x"), image: try #require(image))
      #expect(new.wrappedValue == New(a: 1, b: 2))
    }
  }
}

extension SharedKey<[String]>.Default {
  fileprivate static var testRows: Self { Self(.inMemory("rows"), default: ["first"]) }
}
