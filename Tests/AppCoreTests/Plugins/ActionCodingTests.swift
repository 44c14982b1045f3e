import Testing

@_spi(Host) @testable import AppCore

@Suite("Actions in structural form")
struct ActionCodingTests {
  private enum Move: Equatable {
    case stopped
    case by(Int, reason: String)
    case to((x: Int, y: Int), speed: Int)

    static func == (one: Move, other: Move) -> Bool { "\(one)" == "\(other)" }
  }

  @Test(
    "What is made of one is the action again, tuples within tuples included",
    arguments: [
      (.stopped, "\"stopped\""), (.by(3, reason: "tired"), #"{"by":{"_0":3,"reason":"tired"}}"#),
      (.to((x: 1, y: -2), speed: 7), #"{"to":{"_0":{"x":1,"y":-2},"speed":7}}"#),
    ] as [(Move, String)])
  private func roundTrip(action: Move, form: String) throws {
    let coded = try #require(try ActionCoding.encode(action, for: .storage))
    #expect(coded.json == form)
    #expect(try ActionCoding.decode(Move.self, from: coded) == action)
  }
}
