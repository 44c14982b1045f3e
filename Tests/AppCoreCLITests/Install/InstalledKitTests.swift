import Foundation
import TestSupport
import Testing

/// Tests that somebody writes who has nothing but the installed tree and a compiler.
@Suite("The installed test kit", .long)
struct InstalledKitTests {
  let tree: InstalledTree

  init() async throws { tree = try await InstalledTree.shared }

  private static let feature = """
    import AppCore
    import AppCoreTesting

    struct Tally: Reducer {
      struct State: Equatable { var count = 0 }
      enum Action: ComponentAction { case add }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        state.count += 1
        return .none
      }
    }

    @MainActor func story(_ count: Int) async {
      let store = TestStore(initialState: Tally.State()) { Tally() }
      await store.send(.add) { $0.count = count }
    }

    """

  private let difference = [
    "The state is not as expected after sending .add:", "-   count: 7", "+   count: 1",
    "(expected: -, actual: +)",
  ]

  /// Compiles a program with the kit, as the document on testing says.
  private func compile(_ name: String, _ main: String, _ flags: String = "") async throws
    -> ProgramResult
  {
    try tree.write("\(name).swift", Self.feature + main)
    return try await tree.run(
      "swiftc -parse-as-library -swift-version 6 \(name).swift"
        + " \"$APPCORE/lib/libAppCoreTesting.a\""
        + " -o \(name).xctest -I \"$APPCORE/lib/appcore/modules\" -L \"$APPCORE/lib\" -lAppCore"
        + " -Xlinker \"-rpath=$APPCORE/lib\" \(flags)")
  }

  @Test("A wrong expectation fails a test of XCTest")
  func xcTest() async throws {
    let built = try await compile(
      "WithXCTest",
      """
      import XCTest

      final class TallyTests: XCTestCase {
        func testRight() async { await story(1) }
        func testWrong() async { await story(7) }
        static var allTests: [(String, (TallyTests) -> () throws -> Void)] {
          [
            ("testRight", asyncTest(testRight)), ("testWrong", asyncTest(testWrong)),
          ]
        }
      }

      @main struct Main { static func main() { XCTMain([testCase(TallyTests.allTests)]) } }
      """)
    try #require(built.status == 0, "\(built.output)")
    let run = try await tree.run("./WithXCTest.xctest")
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("Test Case 'TallyTests.testRight' passed"), "\(run.output)")
    #expect(run.output.contains("Test Case 'TallyTests.testWrong' failed"), "\(run.output)")
    for line in difference { #expect(run.output.contains(line), "\(run.output)") }
  }

  @Test("A wrong expectation fails a test of Swift Testing")
  func swiftTesting() async throws {
    let built = try await compile(
      "WithTesting",
      """
      import Testing

      @Test func right() async { await story(1) }
      @Test func wrong() async { await story(7) }

      @main struct Main {
        static func main() async { await Testing.__swiftPMEntryPoint() as Never }
      }
      """,
      "-plugin-path \"$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")\""
        + "/../lib/swift/host/plugins/testing")
    try #require(built.status == 0, "\(built.output)")
    let run = try await tree.run("./WithTesting.xctest --testing-library swift-testing")
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("Test right() passed"), "\(run.output)")
    #expect(run.output.contains("Test wrong() failed"), "\(run.output)")
    for line in difference { #expect(run.output.contains(line), "\(run.output)") }
  }

  @Test("Where no framework runs tests, a wrong expectation ends the process with status 1")
  func program() async throws {
    let built = try await compile(
      "Program",
      """
      @main struct Main {
        static func main() async {
          await story(CommandLine.arguments.count == 1 ? 1 : 7)
          print("end")
        }
      }
      """, "&& mv Program.xctest program")
    try #require(built.status == 0, "\(built.output)")
    let right = try await tree.run("./program")
    #expect(right.status == 0 && right.output == "end\n", "\(right.output)")
    let wrong = try await tree.run("./program wrong")
    #expect(wrong.status == 1, "\(wrong.output)")
    for line in difference + ["end"] { #expect(wrong.output.contains(line), "\(wrong.output)") }
  }
}
