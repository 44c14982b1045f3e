import AppCore
import Foundation
import TestSupport
import Testing

/// `scripts/api.py check`, which holds the SDK to what it has promised to built plugins.
@Suite("The promise to plugins", .long)
struct PromiseTests {
  /// A folder with the interface of this build's SDK, what is for hosts only included, and a change.
  private func modules(_ changes: [(part: String, other: String)]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var text = try String(
      contentsOf: buildFolder.appendingPathComponent("Modules/AppCore.private.swiftinterface"),
      encoding: .utf8)
    for change in changes {
      try #require(text.contains(change.part), "there is no '\(change.part)'")
      text = text.replacing(change.part, with: change.other, maxReplacements: 1)
    }
    try folder.write("AppCore.swiftinterface", text)
    return folder
  }

  /// Compares this build's interface with a change to it, as if the build had been released.
  private func check(_ changes: [(part: String, other: String)]) async throws -> ProgramResult {
    let folder = try modules(changes)
    let api = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: api.url.appendingPathComponent("epoch-\(SDK.epoch)"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: buildFolder.appendingPathComponent("Modules/AppCore.swiftinterface"),
      to: api.url.appendingPathComponent("epoch-\(SDK.epoch)/\(SDK.version).swiftinterface"))
    return try await Program.run(
      "/usr/bin/env",
      ["python3", "scripts/api.py", "check", "--modules", folder.path, "--api", api.path],
      mergesErrors: true)
  }

  @Test("An epoch without a release promises nothing, and the list of hosts' declarations holds")
  func newEpoch() async throws {
    let folder = try modules([])
    let api = try TemporaryFolder()
    let result = try await Program.run(
      "/usr/bin/env",
      ["python3", "scripts/api.py", "check", "--modules", folder.path, "--api", api.path],
      mergesErrors: true)
    #expect(result.status == 0)
    #expect(
      result.output == "api: epoch \(SDK.epoch) has no release yet, and promises nothing\n")
  }

  @Test("What is new breaks nothing: a function, an operator, a case of an enum that is not frozen")
  func additions() async throws {
    let result = try await check([
      (
        "public enum TextStyle : Swift.Sendable {\n",
        "public enum TextStyle : Swift.Sendable {\n  case loud\n"
      ),
      (
        "  public static func merge(_ effects:",
        "  public func delayed() -> AppCore.Effect<Action>\n  public static func merge(_ effects:"
      ),
    ])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.hasSuffix("still find what they use\n"))
  }

  @Test("What goes, or is laid out in another way, is named")
  func breaks() async throws {
    let result = try await check([
      ("  case secondary\n", ""),
      (
        "  internal let generation: Swift.Int\n",
        "  internal let generation: Swift.Int\n  @usableFromInline internal let more: Swift.Int\n"
      ),
      ("  public mutating func removeAll()\n", "  public mutating func removeEverything()\n"),
      ("  public static let epoch: Swift.Int\n", "  public static let epoch: Swift.String\n"),
      (
        "@_fixed_layout internal class AnyStateBox : @unchecked",
        "@_fixed_layout internal class AnyStateBox : AppCore.Ancestor, @unchecked"
      ),
      (
        "@frozen public struct StackElementID",
        """
        @usableFromInline
        internal class Ancestor : @unchecked Swift.Sendable {
          @usableFromInline
          internal init()
        }
        @frozen public struct StackElementID
        """
      ),
    ])
    #expect(result.status == 65)
    for name in [
      "TextStyle.secondary", "StackElementID.more", "StackState.removeAll", "SDK.epoch",
      "Class AnyStateBox has another superclass",
    ] {
      #expect(result.output.contains(name), "\(name) is missing in: \(result.output)")
    }
    #expect(result.output.contains("or begin a new epoch, with its reason in docs/versions.md"))
  }

  @Test("Another body of what is compiled into plugins is named, and breaks nothing")
  func bodies() async throws {
    let result = try await check([
      ("    get { operation == nil }\n", "    get { operation != nil }\n")
    ])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("another body of: @inlinable public var isNone: Swift.Bool\n"))
  }

  @Test("An interface that does not compile is an error, and not taken for one that has lost all")
  func damaged() async throws {
    let result = try await check([
      ("  public static let epoch: Swift.Int\n", "  public static let epoch: Swift.Number\n")
    ])
    #expect(result.status == 70)
    #expect(result.output.contains("swift-api-digester failed"))
  }

  @Test("A new declaration that is for hosts only has to be listed")
  func hostInterface() async throws {
    let result = try await check([
      (
        "  public static func merge(_ effects:",
        "  @_spi(Host) public func sung() -> AppCore.Effect<Action>\n"
          + "  public static func merge(_ effects:"
      )
    ])
    #expect(result.status == 65)
    #expect(
      result.output
        == "api: the list of what only hosts may use differs; type: scripts/api.py list\n")
  }
}
