internal import PluginHost
internal import Support

extension PluginTemplate {
  /// The file that says where the appcore is that a plugin is compiled for; each checkout's own.
  static let treeFile = ".appcore-tree"

  /// What is in that file.
  static func tree(_ toolkit: PluginToolkit) -> String {
    toolkit.isCheckout ? toolkit.libraryFolder : FilePath.folder(of: toolkit.libraryFolder)
  }

  /// The package, for editors, `swift build` and `swift test`; it names no folder of this machine.
  ///
  /// The folder of a plugin of an app has no file of this machine's.
  static func package(
    _ name: String, _ toolkit: PluginToolkit, isOfApp: Bool = false
  ) -> String {
    let source =
      isOfApp
      ? "`appcore test` sets it; or\n// '\(treeFile)' does, a file that is not for version control"
      : "or\n// '\(treeFile)', which `appcore plugin new` wrote for this machine"
    return toolkit.isCheckout ? ofCheckout(name, source) : ofTree(name, source)
  }

  private static func ofTree(_ name: String, _ source: String) -> String {
    """
    // swift-tools-version: 6.2
    import Foundation
    import PackageDescription

    \(finding(module: "lib/appcore/modules/AppCore.swiftmodule", fromPath: "/..", source))
    let modules = "\\(tree)/lib/appcore/modules"
    let library = "\\(tree)/lib"
    let kit = ["AppCoreHostTesting", "AppCoreTesting", "AppCoreHost"].map {
      "\\(library)/lib\\($0).a"
    }
    let kitModules = "\\(modules)/CYAML"

    \(targets(name))
    """
  }

  private static func ofCheckout(_ name: String, _ source: String) -> String {
    """
    // swift-tools-version: 6.2
    import Foundation
    import PackageDescription

    \(finding(module: "Modules/AppCore.swiftmodule", fromPath: "", source))
    let modules = "\\(tree)/Modules"
    let library = tree

    func sources(_ module: String) -> [Substring] {
      let list = "\\(tree)/\\(module).build/sources"
      return ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "").split(separator: "\\n")
    }

    let checkout = sources("Support").first?.components(separatedBy: "/Sources/Support/").first ?? ""

    // A build keeps the test kit and the host in pieces; an installed tree has them as libraries.
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "\\(checkout)/Sources")) ?? []
    let kit = (["AppCoreTesting"] + folders.sorted().filter { $0 != "AppCoreCLI" }).flatMap { module in
      sources(module).map { "\\(tree)/\\(module).build/\\($0.split(separator: "/").last ?? "").o" }
    }
    let kitModules = "\\(checkout)/Sources/CYAML"

    \(targets(name))
    """
  }

  /// Finds the tree, and says what to do where there is none: a compiler would only miss a module.
  private static func finding(module: String, fromPath: String, _ source: String) -> String {
    """
    // The appcore that this plugin is compiled for: APPCORE_TREE in the environment names it, \(source), or it is the one on the PATH.
    func findTree() -> String {
      let note = "\\(Context.packageDirectory)/\(treeFile)"
      let noted = try? String(contentsOfFile: note, encoding: .utf8)
      var trees = (Context.environment["PATH"] ?? "").split(separator: ":").map { "\\($0)\(fromPath)" }
      if let named = Context.environment["APPCORE_TREE"] ?? noted {
        trees = [named.trimmingCharacters(in: .newlines)]
      }
      for tree in trees where FileManager.default.fileExists(atPath: "\\(tree)/\(module)") {
        return tree
      }
      let place = trees.count == 1 ? "at '\\(trees[0])'" : "on the PATH"
      fatalError("there is no appcore \\(place): set APPCORE_TREE, or write to '\\(note)' where it is")
    }
    let tree = findTree()
    """
  }

  private static func targets(_ name: String) -> String {
    """
    // The modules, and never the SDK's sources: compiled again they would be another SDK, and no
    // host would load what was built with it.
    // The program that runs tests of XCTest imports them without these settings: the option lets it
    // find the modules where they did.
    let sdk: [SwiftSetting] = [
      .unsafeFlags(["-I", modules, "-Xfrontend", "-serialize-debugging-options"])
    ]
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
}
