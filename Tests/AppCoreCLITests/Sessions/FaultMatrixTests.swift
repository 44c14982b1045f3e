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
    "trap", "segv", "bus", "abort", "exit", "quit", "kill", "overflow", "loop", "memory", "index",
    "throw", "pipe", "thread", "stop", "close0", "close1", "close2", "close",
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
      // There are twice as many faults as places.
      faults.enumerated().filter { all || (row + $0.offset) % places.count == 7 }
        .map { Pair(place: place.0, fault: $0.element) }
    }
  }()

  @Test("Whatever happens wherever, the app is back and says whose code it was", arguments: pairs)
  func isBack(_ pair: Pair) throws {
    let limits = ["loop": ["--hang-limit", "0.5"], "memory": ["--memory-limit", "400M"]]
    let app = try CrashingApp(limits[pair.fault] ?? [])
    try app.type("@add", seeing: "Count 1")
    // What was closed is noticed when it is used: by then the call may be over.
    let isLate = pair.fault.hasPrefix("close")
    let told: String
    switch pair.place {
    case "willEnd":
      try app.type("@fault = open", seeing: "Another")
      try app.type("@fault = \(pair)", seeing: "Another")
      told = try app.crash(":back", seeing: isLate ? "Faulty" : "Another")
    case "didRestore", "decode", "migrate":
      try app.type("@fault = \(pair)", seeing: "Count 1")
      kill(try #require(app.worker), SIGKILL)
      told = try app.restored(seeing: "while the app was being restored.")
    case "effect" where pair.fault == "stop":
      // Outside of a call it is no hang, and the app continues.
      app.terminal.type("@fault = \(pair)\r")
      try app.terminal.wait(for: "! the app's process was stopped, and was continued")
      try app.terminal.wait(forLine: ">")
      #expect(app.quit() == 0)
      return
    // Where it is done each time that the screen is shown, the plugin is suspended.
    default: told = try app.crash("@fault = \(pair)", seeing: isLate ? "Faulty" : "Count 1")
    }
    let method = try #require(Self.places.first { $0.0 == pair.place }).1
    let verb = ["loop", "stop"].contains(pair.fault) ? "hung" : "crashed"
    // What ends the process without a word, and is not a call of the store's, can't be known.
    let isSilent =
      pair.place == "effect" && ["quit", "kill", "memory", "pipe"].contains(pair.fault)
    let owner =
      isSilent
      ? "the app crashed ("
      : isLate ? "MockFaults.Faulty crashed" : "MockFaults.Faulty \(verb) in \(method) ("
    #expect(told.hasPrefix("! " + owner), "\(told)")
    #expect(!isLate || told.contains(" was closed); "), "\(told)")
    #expect(pair.fault != "index" || told.contains("(libMockFaults.so+0x"), "\(told)")
    #expect(pair.fault != "memory" || told.contains("(it used more than 400 MiB of memory); "))
    #expect(!app.terminal.modes.echoes)
    // Before the second one, the process was killed in order to be restored.
    let isRestoring = ["didRestore", "decode", "migrate"].contains(pair.place)
    let report = try #require(app.reports).last(of: isRestoring ? 2 : 1)
    #expect(report.kind == (verb == "hung" ? "hang" : "crash"))
    // What is done each time that the screen is shown crashes until it is suspended.
    let isRepeated = isLate || ["screen", "encode"].contains(pair.place)
    let outcomes = isRestoring ? ["suspended"] : ["restored"] + (isRepeated ? ["suspended"] : [])
    #expect(outcomes.contains(report.outcome))
    #expect(report.app == "crashes")
    #expect(report.plugin?.name == (isSilent ? nil : "MockFaults"))
    #expect(isSilent || report.node?.isEmpty == false && report.plugin?.buildID != nil, "\(report)")
    #expect(isSilent || isLate || report.call == method)
    // A process that ends without a word does not describe the action.
    let isMute = ["quit", "kill", "memory", "pipe", "stop"].contains(pair.fault)
    #expect(pair.place != "reduce" || isLate || isMute || report.action == ".view(.faultTyped(…))")
    // It is usable.
    try app.type(":path", seeing: "/home")
    // It would go wrong once more as it ends.
    guard pair.place != "willEnd" else { return }
    kill(app.terminal.child, SIGTERM)
    #expect(app.terminal.finish() == 128 + SIGTERM)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }
}
