@_spi(Host) import AppCore
import Testing

@Suite("StateDump")
struct StateDumpTests {
  enum Kind { case plain, count(Int), pair(left: Int, String) }

  struct State {
    var name = "a \"b\""
    var count: Int? = 3
    var nothing: Int?
    var kinds: [Kind] = [.plain, .count(1), .pair(left: 2, "x")]
    var table = ["z": 1, "b": 2]
    var empty: [Int] = []
    var secret = Secret("hidden")
  }

  @Test("Moments, durations and identifiers are dumped as they are written")
  func texts() {
    struct Times {
      var at = Instant(secondsSinceEpoch: 0)
      var lasting = Duration.seconds(2)
      var id = UniqueID(1)
      let element: StackElementID
    }
    let element = StackState(["a"]).ids[0]
    #expect(
      StateDump.lines(Times(element: element)) == [
        "Times(",
        "  at: 1970-01-01T00:00:00Z,",
        "  lasting: 2.0 seconds,",
        "  id: 00000000-0000-0000-0000-000000000001,",
        "  element: \(element)",
        ")",
      ])
  }

  @Test("A value is dumped part by part, always in the same order, and secrets are not shown")
  func parts() {
    #expect(
      StateDump.lines(State()) == [
        "State(",
        #"  name: "a \"b\"","#,
        "  count: 3,",
        "  nothing: nil,",
        "  kinds: [",
        "    .plain,",
        "    .count(",
        "      1",
        "    ),",
        "    .pair(",
        "      left: 2,",
        #"      "x""#,
        "    )",
        "  ],",
        "  table: [",
        "    (",
        #"      key: "b","#,
        "      value: 2",
        "    ),",
        "    (",
        #"      key: "z","#,
        "      value: 1",
        "    )",
        "  ],",
        "  empty: [],",
        "  secret: <secret>",
        ")",
      ])
  }

  @Test("Presentations and collections are dumped as what they hold")
  func collections() {
    struct Parent {
      @Presented var child: Desk? = Desk(name: "a")
      @Presented var none: Desk?
      var seats: IdentifiedArray<Seat> = [Seat(name: "s")]
      var path: StackState<Int> = [7, 8]
    }
    #expect(
      StateDump.lines(Parent()) == [
        "Parent(", "  child: Desk(", #"    name: "a","#, "    count: 0", "  ),", "  none: nil,",
        "  seats: [", "    Seat(", #"      name: "s","#, "      count: 0", "    )", "  ],",
        "  path: [", "    #0: 7,", "    #1: 8", "  ]", ")",
      ])
  }

  @Test("On one line")
  func line() {
    #expect(StateDump.line(Kind.pair(left: 1, "x")) == #".pair(left: 1, "x")"#)
    #expect(StateDump.line(Kind.plain) == ".plain")
  }

  @Test("A large value is cut, and one that contains itself comes to an end")
  func limits() {
    final class Node {
      var left: Node?
      var right: Node?
    }
    let node = Node()
    (node.left, node.right) = (node, node)
    for value in [Array(0..<1_000_000) as Any, node] {
      let lines = StateDump.lines(value)
      #expect(lines.count == 10_001)
      #expect(lines.last == "…")
    }
    (node.left, node.right) = (nil, nil)
  }
}
