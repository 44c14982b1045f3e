internal import PluginHost

extension PluginTemplate {
  /// The package, for editors, `swift build` and `swift test`.
  static func package(_ name: String, _ toolkit: PluginToolkit) -> String {
    toolkit.isCheckout
      ? ofCheckout(name, tree: toolkit.libraryFolder)
      : ofTree(name, tree: FilePath.folder(of: toolkit.libraryFolder))
  }

  private static func ofTree(_ name: String, tree: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    // The appcore that this plugin is compiled for, as `appcore plugin new` found it.
    // APPCORE_TREE in the environment names another.
    let tree = Context.environment["APPCORE_TREE"] ?? \(literal(tree))
    let modules = "\\(tree)/lib/appcore/modules"
    let library = "\\(tree)/lib"
    let kit = ["AppCoreHostTesting", "AppCoreTesting", "AppCoreHost"].map {
      "\\(library)/lib\\($0).a"
    }
    let kitModules = "\\(modules)/CYAML"

    \(targets(name))
    """
  }

  private static func ofCheckout(_ name: String, tree: String) -> String {
    """
    // swift-tools-version: 6.2
    import Foundation
    import PackageDescription

    // The build of appcore that this plugin is compiled for, as `appcore plugin new` found it.
    // APPCORE_TREE in the environment names another.
    let tree = Context.environment["APPCORE_TREE"] ?? \(literal(tree))
    let modules = "\\(tree)/Modules"
    let library = tree

    func sources(_ module: String) -> [Substring] {
      let list = "\\(tree)/\\(module).build/sources"
      return ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "").split(separator: "\\n")
    }

    // A build keeps the test kit in pieces; an installed tree has it as libraries.
    let kit = [
      "AppCoreHostTesting", "AppCoreTesting", "AppCoreHost", "Shell", "Navigation", "PluginHost",
      "Manifest",
    ].flatMap { module in
      sources(module).map { "\\(tree)/\\(module).build/\\($0.split(separator: "/").last ?? "").o" }
    }
    let checkout = sources("Shell").first?.components(separatedBy: "/Sources/Shell/").first ?? ""
    let kitModules = "\\(checkout)/Sources/CYAML"

    \(targets(name))
    """
  }

  private static func targets(_ name: String) -> String {
    """
    // The modules, and never the SDK's sources: compiled again they would be another SDK, and no
    // host would load what was built with it.
    let sdk: [SwiftSetting] = [.unsafeFlags(["-I", modules])]
    let link = ["-L", library, "-lAppCore"]

    let package = Package(
      name: "\(name)",
      products: [.library(name: "\(name)", type: .dynamic, targets: ["\(name)"])],
      targets: [
        .target(
          name: "\(name)", swiftSettings: sdk, linkerSettings: [.unsafeFlags(link)]),
        .testTarget(
          name: "\(name)Tests", dependencies: ["\(name)"],
          swiftSettings: sdk + [.unsafeFlags(["-I", kitModules])],
          linkerSettings: [
            .unsafeFlags(kit + link + ["-Xlinker", "-rpath", "-Xlinker", library])
          ]),
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }

  /// A text as Swift reads it.
  private static func literal(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(result)\""
  }
}
