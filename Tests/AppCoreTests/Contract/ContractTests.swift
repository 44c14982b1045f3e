import AppCore
import Foundation
import TestSupport
import Testing

/// Runs the tool that names the SDK's contract on copies of the SDK's sources.
@Suite("The SDK's contract")
struct ContractTests {
  /// A copy of the SDK's sources that goes with the object.
  private final class Copy {
    let folder: URL
    private(set) var files: [URL] = []

    init() throws {
      let manager = FileManager.default
      folder = manager.temporaryDirectory.appending(path: "contract-\(UUID().uuidString)")
      let source = packageFolder.appending(path: "Sources/SDK/AppCore").resolvingSymlinksInPath()
      try manager.copyItem(at: source, to: folder)
      files = (manager.enumerator(atPath: folder.path)?.allObjects as? [String] ?? [])
        .filter { $0.hasSuffix(".swift") }
        .map { folder.appending(path: $0) }
        .sorted { $0.path < $1.path }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func edit(_ name: String, _ change: (String) -> String) throws {
      let file = folder.appending(path: name)
      let text = try String(contentsOf: file, encoding: .utf8)
      let changed = change(text)
      try #require(text != changed, "the edit changes nothing")
      try changed.write(to: file, atomically: true, encoding: .utf8)
    }

    /// What the tool makes of the sources.
    func generated() async throws -> (symbol: String, digest: String) {
      let output = folder.appending(path: "Contract.generated")
      let result = try await tool([output.path] + files.map(\.path))
      try #require(result.status == 0, "\(result.output)")
      let text = try String(contentsOf: output, encoding: .utf8)
      let name = try #require(text.firstMatch(of: /@c\(([A-Za-z0-9_]+)\)/)).1
      #expect(text.contains("static let contractSymbol = \"\(name)\""))
      let digest = try #require(text.firstMatch(of: /static let sourcesDigest = "([0-9a-f]{16})"/))
        .1
      return (String(name), String(digest))
    }
  }

  private static func tool(_ arguments: [String]) async throws -> ProgramResult {
    let tool = buildFolder.appending(path: "ContractTool-tool")
    let compiler = try #require(Program.find("swiftc"), "there is no 'swiftc' on the search path")
    return try await Program.run(tool.path, [compiler] + arguments, mergesErrors: true)
  }

  @Test("Symbol and digest of the sources are those that were built; the symbol names the compiler")
  func built() async throws {
    let (symbol, digest) = try await Copy().generated()
    #expect(symbol == SDK.contractSymbol)
    #expect(digest == SDK.sourcesDigest)
    let compiler = SDK.compilerVersion.replacing(".", with: "_").replacing("-", with: "_")
    #expect(symbol == "appcore_contract_\(SDK.epoch)_swift_\(compiler)")
  }

  @Test("One stored property more changes the digest, and the contract stays the same")
  func storedProperty() async throws {
    let copy = try Copy()
    try copy.edit("Values/Schema.swift") {
      $0.replacing(
        "public let name: String\n    public let schema",
        with:
          "public let name: String\n    let added = 0\n    public let schema")
    }
    let (symbol, digest) = try await copy.generated()
    #expect(symbol == SDK.contractSymbol)
    #expect(digest != SDK.sourcesDigest)
  }

  @Test("Another epoch is another contract")
  func epoch() async throws {
    let copy = try Copy()
    try copy.edit("SDK.swift") {
      $0.replacing("static let epoch = \(SDK.epoch)", with: "static let epoch = 77")
    }
    #expect(try await copy.generated().symbol.hasPrefix("appcore_contract_77_swift_"))
  }

  @Test("Sources without a version or an epoch, and files that are not there, are refused")
  func refused() async throws {
    let copy = try Copy()
    let output = copy.folder.appending(path: "Contract.generated").path
    let noVersion = try await Self.tool([
      output, copy.folder.appending(path: "Values/Value.swift").path,
    ])
    #expect(noVersion.status == 1)
    #expect(noVersion.output == "error: SDK.swift declares no version\n")
    try copy.edit("SDK.swift") { $0.replacing("let epoch", with: "let era") }
    let noEpoch = try await Self.tool([
      output, copy.folder.appending(path: "SDK.swift").path,
    ])
    #expect(noEpoch.output == "error: SDK.swift declares no epoch\n")
    let noFile = try await Self.tool([output, "/nowhere/SDK.swift"])
    #expect(noFile.status == 1)
    #expect(noFile.output == "error: cannot read /nowhere/SDK.swift\n")
    #expect(try await Self.tool([]).output.hasPrefix("error: usage:"))
  }
}
