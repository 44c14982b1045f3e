@_spi(Host) internal import AppCore
import Foundation
internal import TestSupport
import Testing

@testable import PluginHost

/// Real modules of changed copies of the SDK, and a real plugin compiled against them.
@Suite("A plugin of a changed SDK", .long)
struct ChangedSDKTests {
  let workshop: Workshop
  private let sdk: URL

  init() throws {
    workshop = try Workshop()
    sdk = URL(fileURLWithPath: workshop.path("SDK"))
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/SDK/AppCore").standardizedFileURL
    try FileManager.default.createDirectory(at: sdk, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: sources, to: sdk.appendingPathComponent("AppCore"))
  }

  /// Replaces a part of one of the SDK's sources.
  private func change(_ file: String, _ part: String, to other: String) throws {
    let url = sdk.appendingPathComponent("AppCore/" + file)
    let text = try String(contentsOf: url, encoding: .utf8)
    try #require(text.contains(part))
    try Data(text.replacing(part, with: other).utf8).write(to: url)
  }

  /// The source that names the contract, as the build of the copy would make it.
  private func contract() throws -> URL {
    let all = FileManager.default.enumerator(at: sdk, includingPropertiesForKeys: nil)
    let files = (all?.allObjects as? [URL] ?? []).map(\.path).filter { $0.hasSuffix(".swift") }
    let output = sdk.appendingPathComponent("Contract.generated.swift")
    let swiftc = try Workshop.find("swiftc")
    try Workshop.run(
      BuildBench.toolkit.libraryFolder + "/ContractTool-tool",
      [swiftc, output.path] + files.sorted())
    return output
  }

  /// A toolkit with the copy's modules.
  ///
  /// Its library is this process's: it is only linked to.
  private func toolkit() throws -> PluginToolkit {
    let contract = try contract()
    let tree = workshop.path("tree/lib")
    let modules = tree + "/appcore/modules"
    try FileManager.default.createDirectory(atPath: modules, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: tree + "/libAppCore.so",
      withDestinationPath: BuildBench.toolkit.libraryFolder + "/libAppCore.so")
    let all = FileManager.default.enumerator(
      at: sdk.appendingPathComponent("AppCore"), includingPropertiesForKeys: nil)
    let files = (all?.allObjects as? [URL] ?? []).map(\.path).filter { $0.hasSuffix(".swift") }
    try Workshop.run(
      "swiftc",
      [
        "-emit-module", "-wmo", "-module-name", "AppCore", "-parse-as-library",
        "-swift-version", "6", "-package-name", "sdk", "-enable-upcoming-feature",
        "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
        "-enable-upcoming-feature", "MemberImportVisibility",
        "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies",
        "-o", modules + "/AppCore.swiftmodule", contract.path,
      ] + files)
    return PluginToolkit(libraryFolder: tree, compilerVersion: SDK.compilerVersion)
  }

  private func build(_ toolkit: PluginToolkit) throws -> BuiltPlugin {
    let source = """
      import AppCore
      struct Hello: Plugin {
        static let name = "Hello"
        static let version = "1.0.0"
        init(configuration: NoConfiguration) {}
        static func register(in registry: inout PluginRegistry<Self>) {}
      }
      @c(appcore_plugin_Hello)
      public func hello() -> UnsafeMutableRawPointer { export(Hello.self) }
      """
    try workshop.write(source, to: "Hello/Sources/Hello/Hello.swift")
    let builder = PluginBuilder(
      toolkit: toolkit, contract: try workshop.host,
      environment: ProcessInfo.processInfo.environment)
    return try builder.build(folder: workshop.path("Hello"))
  }

  @Test("One stored property more: it is refused, and both sides and the command are named")
  func property() throws {
    try change(
      "Screens/ScreenContent.swift", "  public var title: String\n",
      to: "  public var title: String\n  public var mark = 0\n")
    let toolkit = try toolkit()
    let problem = try workshop.problem { try build(toolkit) }
    #expect(problem.code == "contract-mismatch")
    // `plugin: SDK 0.1.0, Swift 6.3.1, digest 87950231f783b149`, and the host's likewise.
    let sides = problem.details.map {
      $0.dropFirst("plugin: ".count).components(separatedBy: ", digest ")
    }
    try #require(sides.count == 2 && sides.allSatisfy { $0.count == 2 })
    let host = try #require(Contract(symbol: SDK.contractSymbol))
    #expect(sides[1].joined(separator: ", digest ") == "\(host)")
    #expect(sides[0][0] == sides[1][0])
    #expect(sides[0][1] != sides[1][1])
    #expect(
      workshop.text(problem).contains(
        "help: rebuild the plugin against this host's SDK: `appcore plugin build $DIR/Hello`"))
  }

  @Test("Another comment and other white space: it is this SDK, and the plugin loads")
  func comment() throws {
    try change(
      "Screens/ScreenContent.swift", "  public var title: String\n",
      to: "  /* a comment */\n\n  public var title: String  // another\n")
    let built = try build(toolkit())
    #expect(built.didCompile)
    let loader = try workshop.loader()
    let loaded = try loader.load(loader.open(path: built.path, expecting: "Hello"))
    #expect(loaded.entry() != nil)
  }
}
