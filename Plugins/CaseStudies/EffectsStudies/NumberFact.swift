internal import AppCore

/// Facts about numbers.
///
/// They come from a table, but take as long as a request to a server.
struct NumberFact: DependencyKey {
  var fetch: @Sendable (Int) async throws -> String

  struct Unknown: Error, CustomStringConvertible {
    let number: Int
    var description: String { "Nothing is known about \(number)." }
  }

  private static let facts = [
    "0 is the only number that can't be divided by.", "1 is the only number with one divisor.",
    "2 is the only even prime.", "3 colors are too few for some maps.",
    "4 colors suffice for any map.",
  ]

  static let liveValue = NumberFact { number in
    @Dependency(\.clock) var clock
    try await clock.sleep(for: .seconds(1))
    guard facts.indices.contains(number) else { throw Unknown(number: number) }
    return facts[number]
  }
}
