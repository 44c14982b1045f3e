@_spi(Host) import AppCore
import Foundation
import TestSupport
import Testing

@Suite("The contract, between real builds", .long)
struct ContractTests {
  @Test("A plugin built against an SDK with one more stored property is refused, both sides named")
  func changedSDK() async throws {
    let folder = try TemporaryFolder()
    let sdk = folder.url.appendingPathComponent("SDK")
    try FileManager.default.copyItem(
      at: packageFolder.appendingPathComponent("Sources/SDK"), to: sdk)
    try? FileManager.default.removeItem(at: sdk.appendingPathComponent(".build"))
    let file = sdk.appendingPathComponent("AppCore/Screens/ScreenContent.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let changed = text.replacingOccurrences(
      of: "  public var title: String\n",
      with: "  public var title: String\n  public var mark = 0\n")
    #expect(changed != text)
    try changed.write(to: file, atomically: true, encoding: .utf8)

    try folder.write(
      "Hello/Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "Hello",
        products: [.library(name: "Dialogs", type: .dynamic, targets: ["Dialogs"])],
        dependencies: [.package(path: "../SDK")],
        targets: [
          .target(name: "Dialogs", dependencies: [.product(name: "AppCore", package: "SDK")])
        ])
      """)
    let sources = folder.url.appendingPathComponent("Hello/Sources/Dialogs")
    try FileManager.default.createDirectory(
      at: sources.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: packageFolder.appendingPathComponent("Plugins/Dialogs"), to: sources)
    let build = try await Program.run(
      "/usr/bin/env", ["swift", "build", "--disable-sandbox"],
      folder: folder.url.appendingPathComponent("Hello"))
    try #require(build.status == 0, "\(build.output)\(build.errors)")

    let result = try await Program.appcore([
      "run", "manifests/packages.yaml", "--plugin-path",
      folder.url.appendingPathComponent("Hello/.build/debug").path,
    ])
    #expect(result.status == 69)
    #expect(result.errors.contains("libDialogs.so: built against another SDK"))
    let sides = result.errors.split(separator: "\n").filter { $0.contains("digest") }
    #expect(sides.count == 2)
    #expect(sides.contains { $0.contains("host:") && $0.contains(hostDigest) })
    #expect(sides.contains { $0.contains("plugin:") && !$0.contains(hostDigest) })
  }

  private var hostDigest: String {
    String(SDK.contractSymbol.split(separator: "_").last ?? "none")
  }
}
