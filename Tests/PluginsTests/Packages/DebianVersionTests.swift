internal import TestSupport
import Testing

@testable import Packages

@Suite("DebianVersion")
struct DebianVersionTests {
  @Test(
    "Older comes before newer",
    arguments: [
      ("1.0~rc1", "1.0"), ("1.0~~", "1.0~"), ("1.0~", "1.0"), ("1.0", "1.0a"), ("1.0a", "1.0+"),
      ("1.0", "1.0-1"), ("1.9", "1.10"), ("9", "1:0"), ("1:9", "2:0"), ("1.0-1", "1.0-1+b1"),
      ("1.0-1-2", "1.0-1-10"), ("1.2.3-4", "1.2.3.1-1"), ("a", "b"), ("0", "0a"), ("1~a", "1"),
      ("18446744073709551616", "18446744073709551617"), ("1:99999999", "99999999999999999999:0"),
    ])
  func order(older: String, newer: String) {
    #expect(DebianVersion.compare(older, newer) == -1)
    #expect(DebianVersion.compare(newer, older) == 1)
  }

  @Test(
    "Versions that differ in writing only are equal",
    arguments: [("0:1", "1"), ("1.0", "1.00"), ("1", "1-0"), ("1.", "1.0"), (" 1 ", "1"), ("", "")])
  func equality(left: String, right: String) {
    #expect(DebianVersion.compare(left, right) == 0)
    #expect(DebianVersion.compare(right, left) == 0)
  }

  @Test("The order is dpkg's, for versions of this machine and made-up ones", .enabled(if: hasDpkg))
  func agreesWithDpkg() async throws {
    var random = SplitMix64(seed: 7)
    let database = try await PackageDatabase.load(path: systemStatus)
    let real = database.allIndices.compactMap { database.package(at: $0)?.version }
    let parts = ["0", "1", "10", "09", "a", "Z", "~", "~~", "+", ".", "-", "rc", "b"]
    func version() -> String {
      if Bool.random(using: &random), let version = real.randomElement(using: &random) {
        return version
      }
      let upstream = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
        parts.randomElement(using: &random)
      }
      let epoch = Int.random(in: 0...9, using: &random) == 0 ? "1:" : ""
      return epoch + "1" + upstream.joined() + "0"
    }
    for _ in 0..<300 {
      let left = version()
      let right = Bool.random(using: &random) ? version() : left + "~1"
      let order = DebianVersion.compare(left, right)
      let operation = order < 0 ? "lt" : order == 0 ? "eq" : "gt"
      let status = try await Program.run(
        "/usr/bin/dpkg", ["--compare-versions", left, operation, right]
      ).status
      #expect(status == 0, "\(left) \(operation) \(right)")
    }
  }

  @Test("Each relation asks for its part of the order")
  func constraints() {
    let versions = ["1", "2", "3"]
    let met: [(VersionConstraint.Relation, [String])] = [
      (.earlier, ["1"]), (.earlierOrEqual, ["1", "2"]), (.equal, ["2"]),
      (.laterOrEqual, ["2", "3"]), (.later, ["3"]),
    ]
    for (relation, expected) in met {
      let constraint = VersionConstraint(relation: relation, version: "2")
      #expect(versions.filter { constraint.isMet(by: $0) } == expected)
    }
  }
}
