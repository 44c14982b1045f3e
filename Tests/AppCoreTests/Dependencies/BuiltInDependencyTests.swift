import AppCore
import Testing

@Suite("Dependencies that come with the SDK")
struct BuiltInDependencyTests {
  @Test("The date is the machine's, or what a test says")
  func date() {
    @Dependency(\.date) var date
    let before = date.now
    #expect(before > Instant("2026-01-01T00:00:00Z") ?? before)
    #expect(date() >= before)
    withDependencies {
      $0.date = .constant(Instant(secondsSinceEpoch: 5))
    } operation: {
      #expect(date.now == Instant(secondsSinceEpoch: 5))
    }
  }

  @Test("Tasks that draw random numbers at once draw different ones")
  func randomNumbersAtOnce() async {
    /// Counts, and takes long enough for another task to come between.
    struct Counter: RandomNumberGenerator {
      var count: UInt64 = 0
      mutating func next() -> UInt64 {
        let number = count
        for _ in 0..<50 { count = number + 1 }
        return number
      }
    }
    let generator = WithRandomNumberGenerator(Counter())
    let drawn = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<5_000).map { _ in generator { $0.next() } } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(drawn).count == drawn.count)
  }

  @Test("Unique ids are all different, or counted")
  func ids() {
    @Dependency(\.uuid) var uuid
    #expect(Set((0..<1000).map { _ in uuid() }).count == 1000)
    // Version 4, variant 10: RFC 9562.
    let text = Array(uuid().description)
    #expect(text[14] == "4")
    #expect("89ab".contains(text[19]))
    withDependencies {
      $0.uuid = .incrementing
    } operation: {
      #expect([uuid(), uuid(), uuid()] == [UniqueID(0), UniqueID(1), UniqueID(2)])
    }
    withDependencies {
      $0.uuid = .constant(UniqueID(7))
    } operation: {
      #expect([uuid(), uuid()] == [UniqueID(7), UniqueID(7)])
    }
  }

  @Test("A seeded generator continues from call to call, and says the same in every run")
  func random() {
    @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
    func rolls() -> [Int] {
      withDependencies {
        $0.withRandomNumberGenerator = WithRandomNumberGenerator(
          SeededRandomNumberGenerator(seed: 1))
      } operation: {
        (0..<20).map { _ in withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) } }
      }
    }
    let first = rolls()
    #expect(first == rolls())
    #expect(Set(first).count > 1)
    // The numbers that the algorithm's authors publish for the seed 0.
    var generator = SeededRandomNumberGenerator(seed: 0)
    #expect(generator.next() == 0xe220_a839_7b1d_cdaf)
    #expect(generator.next() == 0x6e78_9e6a_a1b9_65f4)
    #expect((1...6).contains(withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }))
  }

  @Test("The environment is the process's, or what a test says")
  func environment() {
    @Dependency(\.environment) var environment
    #expect(environment["PATH"]?.isEmpty == false)
    #expect(environment["APPCORE_NOBODY_SETS_THIS"] == nil)
    withDependencies {
      $0.environment = ["HOME": "/home/ada"]
    } operation: {
      #expect(environment["HOME"] == "/home/ada")
      #expect(environment["PATH"] == nil)
    }
  }

  @Test("A URL goes to the test's handler, and an error names URL and reason")
  func openURL() async throws {
    @Dependency(\.openURL) var openURL
    let log = Log()
    try await withDependencies {
      $0.openURL = OpenURL { url throws(OpenURLError) in log.add(url) }
    } operation: {
      try await openURL("https://www.swift.org")
    }
    #expect(log.lines == ["https://www.swift.org"])
    #expect(
      OpenURLError(url: "x", reason: "it has no scheme, as 'https:'").description
        == "can't open 'x': it has no scheme, as 'https:'")
  }
}
