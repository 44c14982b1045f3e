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
      let source = Build.root.appending(path: "Sources/SDK/AppCore").resolvingSymlinksInPath()
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

    func editAll(_ change: (String) -> String) throws {
      for file in files {
        let text = try String(contentsOf: file, encoding: .utf8)
        try change(text).write(to: file, atomically: true, encoding: .utf8)
      }
    }

    /// The symbol that stands for the sources.
    func symbol() async throws -> String {
      let output = folder.appending(path: "Contract.generated")
      let result = try await tool([output.path] + files.map(\.path))
      try #require(result.status == 0, "\(result.output)")
      let text = try String(contentsOf: output, encoding: .utf8)
      let name = try #require(text.firstMatch(of: /@c\(([A-Za-z0-9_]+)\)/)).1
      #expect(text.contains("static let contractSymbol = \"\(name)\""))
      return String(name)
    }
  }

  private static func tool(_ arguments: [String]) async throws -> ProgramResult {
    let tool = Build.folder.appending(path: "ContractTool-tool")
    let compiler = try #require(Build.compiler, "there is no 'swiftc' on the search path")
    return try await Build.run(tool, [compiler.path] + arguments)
  }

  @Test("The symbol of the sources is the one that was built, and names SDK and compiler")
  func built() async throws {
    let symbol = try await Copy().symbol()
    #expect(symbol == SDK.contractSymbol)
    let version = SDK.version.replacing(".", with: "_")
    #expect(symbol.hasPrefix("appcore_contract_sdk_\(version)_swift_6_"))
  }

  @Test("Comments and white space do not change it")
  func comments() async throws {
    let copy = try Copy()
    try copy.editAll { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let isCode = line.hasSuffix(" {") && !line.contains("//")
        return isCode ? "\t\(line)  // opens \"a block\r" : "\(line)  "
      }
      return "/* A comment, /* one within it, */ // and \" a quote. */\n"
        + lines.joined(separator: "\n\n") + "// no line end"
    }
    #expect(try await copy.symbol() == SDK.contractSymbol)
  }

  @Test("One stored property more changes it")
  func storedProperty() async throws {
    let copy = try Copy()
    try copy.edit("Values/Schema.swift") {
      $0.replacing(
        "public let name: String\n    public let schema",
        with:
          "public let name: String\n    let added = 0\n    public let schema")
    }
    #expect(try await copy.symbol() != SDK.contractSymbol)
  }

  @Test("A comment inside a string counts")
  func strings() async throws {
    var symbols: Set<String> = []
    for text in ["http://one", "http://two", "/* one */", "/* two */"] {
      let copy = try Copy()
      try copy.edit("SDK.swift") { $0 + "\nlet address = \"\(text)\"\n" }
      symbols.insert(try await copy.symbol())
    }
    #expect(symbols.count == 4)
  }

  @Test("Sources without a version, and files that are not there, are refused")
  func refused() async throws {
    let copy = try Copy()
    let output = copy.folder.appending(path: "Contract.generated").path
    let noVersion = try await Self.tool([
      output, copy.folder.appending(path: "Values/Value.swift").path,
    ])
    #expect(noVersion.status == 1)
    #expect(noVersion.output == "error: SDK.swift declares no version\n")
    let noFile = try await Self.tool([output, "/nowhere/SDK.swift"])
    #expect(noFile.status == 1)
    #expect(noFile.output == "error: cannot read /nowhere/SDK.swift\n")
    #expect(try await Self.tool([]).output.hasPrefix("error: usage:"))
  }
}
