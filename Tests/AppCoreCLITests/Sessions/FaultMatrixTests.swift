import Foundation
import Glibc
import TestSupport
import Testing

/// What goes wrong, times where it goes wrong.
///
/// `APPCORE_FAULTS=all` has every pair tried; otherwise each row and each column is tried once.
@Suite("The matrix of faults", .ownThread)
struct FaultMatrixTests {
  struct Pair: CustomStringConvertible, Sendable {
    let place: String
    let fault: String
    var description: String { "\(place) \(fault)" }
  }

  static let faults = [
    "trap", "segv", "bus", "abort", "exit", "quit", "kill", "overflow", "loop", "memory",
  ]
  /// The places, each with what was called there.
  static let places = [
    ("reduce", "reduce(into:action:)"), ("screen", "screen(_:)"),
    ("initialState", "initialState(_:)"), ("effect", "an effect"), ("willEnd", "willEnd(_:)"),
    ("encode", "State.encode(to:)"), ("didRestore", "didRestore(_:)"),
    ("decode", "State.init(from:)"), ("migrate", "State.init(from:)"),
  ]

  static let pairs: [Pair] = {
    let all = ProcessInfo.processInfo.environment["APPCORE_FAULTS"] == "all"
    return places.enumerated().flatMap { row, place in
      // There is one more fault than there are places.
      faults.enumerated().filter {
        all || (row + $0.offset) % faults.count == 6 || row == 0 && $0.offset == 7
      }
      .map { Pair(place: place.0, fault: $0.element) }
    }
  }()

  @Test("Whatever happens wherever, the app is back and says whose code it was", arguments: pairs)
  func isBack(_ pair: Pair) throws {
    let limits = ["loop": ["--hang-limit", "0.5"], "memory": ["--memory-limit", "400M"]]
    let app = try CrashingApp(limits[pair.fault] ?? [])
    try app.type("@add", seeing: "Count 1")
    let told: String
    switch pair.place {
    case "willEnd":
      try app.type("@fault = open", seeing: "Another")
      try app.type("@fault = \(pair)", seeing: "Another")
      told = try app.crash(":back", seeing: "Another")
    case "didRestore", "decode", "migrate":
      try app.type("@fault = \(pair)", seeing: "Count 1")
      kill(try #require(app.worker), SIGKILL)
      told = try app.restored(seeing: "while the app was being restored.")
    default: told = try app.crash("@fault = \(pair)", seeing: "Count 1")
    }
    let method = try #require(Self.places.first { $0.0 == pair.place }).1
    let verb = pair.fault == "loop" ? "hung" : "crashed"
    // What ends the process without a word, and is not a call of the store's, can't be known.
    let isSilent = pair.place == "effect" && ["quit", "kill", "memory"].contains(pair.fault)
    let owner = isSilent ? "the app crashed (" : "MockFaults.Faulty \(verb) in \(method) ("
    #expect(told.hasPrefix("! " + owner), "\(told)")
    #expect(pair.fault != "memory" || told.contains("(it used more than 400 MiB of memory); "))
    #expect(!app.terminal.modes.echoes)
    // It is usable.
    try app.type(":path", seeing: "/home")
    // It would go wrong once more as it ends.
    guard pair.place != "willEnd" else { return }
    kill(app.terminal.child, SIGTERM)
    #expect(app.terminal.finish() == 128 + SIGTERM)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }
}
