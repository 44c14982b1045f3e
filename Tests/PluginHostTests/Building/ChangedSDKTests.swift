@_spi(Host) internal import AppCore
import Foundation
internal import TestSupport
import Testing

@testable import PluginHost

/// Real modules of changed copies of the SDK, and real plugins compiled against them.
@Suite("A plugin of another release of the SDK", .long)
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
        "-emit-module", "-wmo", "-enable-library-evolution", "-module-name", "AppCore",
        "-parse-as-library",
        "-swift-version", "6", "-package-name", "sdk", "-enable-upcoming-feature",
        "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
        "-enable-upcoming-feature", "MemberImportVisibility",
        "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies",
        "-o", modules + "/AppCore.swiftmodule", contract.path,
      ] + files)
    return PluginToolkit(libraryFolder: tree, compilerVersion: SDK.compilerVersion)
  }

  /// A plugin that was compiled against the copy, or by a toolkit that there is of it.
  private func build(
    by known: PluginToolkit? = nil, importing attribute: String = "", _ register: String = ""
  ) throws -> BuiltPlugin {
    let source = """
      \(attribute) import AppCore
      struct Hello: Plugin {
        static let name = "Hello"
        static let version = "1.0.0"
        init(configuration: NoConfiguration) {}
        static func register(in registry: inout PluginRegistry<Self>) { \(register) }
      }
      @c(appcore_plugin_Hello)
      public func hello() -> UnsafeMutableRawPointer { export(Hello.self) }
      """
    try workshop.write(source, to: "Hello/Sources/Hello/Hello.swift")
    let builder = PluginBuilder(
      toolkit: try known ?? toolkit(), environment: ProcessInfo.processInfo.environment)
    return try builder.build(folder: workshop.path("Hello"))
  }

  /// A later release, which has something more in places that plugins know.
  private func makeNextRelease() throws {
    try change("SDK.swift", "let version = \"\(SDK.version)\"", to: "let version = \"7.5.0\"")
    try change(
      "Screens/ScreenContent.swift", "public enum TextStyle: Sendable {\n",
      to: "public enum TextStyle: Sendable {\n  case loud\n")
    try change(
      "SDK.swift", "public enum SDK {\n", to: "public enum SDK {\n  public static func sing() {}\n")
  }

  @Test("Of a later release that it needs nothing new of: it loads")
  func later() throws {
    try makeNextRelease()
    let built = try build("_ = TextStyle.warning")
    #expect(built.didCompile)
    #expect(try PluginFile(path: built.path).sdkVersion == "7.5.0")
    let loader = workshop.loader()
    let loaded = try loader.load(loader.open(path: built.path, expecting: "Hello"))
    #expect(loaded.entry() != nil)
  }

  @Test("Of a later release, with a function that this one lacks: the release is named")
  func missing() throws {
    try makeNextRelease()
    let problem = try workshop.problem { try build("SDK.sing(); _ = TextStyle.loud") }
    let path = "$DIR/Hello"
    #expect(
      workshop.text(problem) == """
        \(path)/.build/appcore/debug/libHello.so: error: plugin not accepted: built against SDK \
        7.5.0, it needs 2 symbols that this host's SDK \(SDK.version) lacks \
        [plugin-missing-sdk-symbols]
          symbol: static AppCore.SDK.sing() -> ()
          symbol: enum case for AppCore.TextStyle.loud(AppCore.TextStyle.Type) -> AppCore.TextStyle
          help: update appcore to 7.5.0 or later, or rebuild the plugin against this host's SDK: \
        `appcore plugin build \(path)`
        """)
  }

  @Test("Of another epoch: it is refused, and both sides and the command are named")
  func epoch() throws {
    try change("SDK.swift", "let epoch = \(SDK.epoch)", to: "let epoch = 77")
    let problem = try workshop.problem { try build() }
    #expect(problem.code == "contract-mismatch")
    #expect(
      problem.details == [
        "plugin: SDK \(SDK.version), epoch 77, Swift \(SDK.compilerVersion)",
        "host:   \(HostSDK.current)",
      ])
    #expect(
      workshop.text(problem).contains(
        "help: rebuild the plugin against this host's SDK: `appcore plugin build $DIR/Hello`"))
  }

  @Test("What only hosts may use is refused, in a plugin of this very release")
  func hostInterface() throws {
    let toolkit = try toolkit()
    // A member of a type, a static property, an initializer and a protocol.
    for (use, name) in [
      ("ErrorOutput.handOver(to: { _ in })", "AppCore.ErrorOutput.handOver"),
      ("_ = DependencyValues.ownSharedStorage", "AppCore.DependencyValues.ownSharedStorage"),
      (
        "_ = AppClock(now: { .zero }, waking: { _, _ in })", "AppCore.AppClock.init(now:"
      ),
      (
        "_ = FileSystem.self is any FileSystem.Implementation.Type", "FileSystem.Implementation"
      ),
    ] {
      let problem = try workshop.problem { try build(by: toolkit, importing: "@_spi(Host)", use) }
      #expect(problem.code == "plugin-host-only-symbols")
      #expect(problem.details.contains { $0.contains(name) }, "\(problem.details)")
    }
  }

  @Test("Another comment and other white space: it loads")
  func comment() throws {
    try change(
      "Screens/ScreenContent.swift", "  public var title: String\n",
      to: "  /* a comment */\n\n  public var title: String  // another\n")
    let built = try build()
    #expect(built.didCompile)
    let loader = workshop.loader()
    let loaded = try loader.load(loader.open(path: built.path, expecting: "Hello"))
    #expect(loaded.entry() != nil)
  }
}
