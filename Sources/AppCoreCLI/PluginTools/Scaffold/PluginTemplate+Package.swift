internal import PluginHost
internal import Support

extension PluginTemplate {
  /// The name of the file with the path of the appcore to compile against.
  ///
  /// Git ignores it, since the path differs between machines.
  static let treeFile = ".appcore-tree"

  /// The path in that file: the build folder of a checkout, or the installation prefix.
  static func tree(_ toolkit: PluginToolkit) -> String {
    toolkit.isCheckout ? toolkit.libraryFolder : FilePath.folder(of: toolkit.libraryFolder)
  }

  /// The file `Package.swift`, for editors, `swift build` and `swift test`.
  ///
  /// It contains no path of this machine.
  static func package(_ name: String, isOfApp: Bool = false) -> String {
    let source =
      isOfApp
      ? "`appcore test` sets it; or\n// '\(treeFile)' does, a file that is not for version control"
      : "or\n// '\(treeFile)', which `appcore plugin new` wrote for this machine"
    return """
      // swift-tools-version: 6.2
      import Foundation
      import PackageDescription

      \(finding(source))
      \(libraries)

      \(targets(name))
      """
  }

  /// Code that finds the appcore to compile against, and prints what to do if there is none.
  ///
  /// Otherwise the compiler would only report a missing module.
  private static func finding(_ source: String) -> String {
    """
    // The appcore that this plugin is compiled for: APPCORE_TREE in the environment names it, \(source), or it is the one on the PATH.
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    func findTree() -> (path: String, isInstalled: Bool) {
      let note = "\\(Context.packageDirectory)/\(treeFile)"
      let noted = try? String(contentsOfFile: note, encoding: .utf8)
      var trees = (Context.environment["PATH"] ?? "").split(separator: ":").flatMap {
        ["\\($0)/..", String($0)]
      }
      if let named = Context.environment["APPCORE_TREE"] ?? noted {
        trees = [named.trimmingCharacters(in: .newlines)]
      }
      for tree in trees {
        if exists("\\(tree)/lib/appcore/modules/AppCore.swiftmodule") { return (tree, true) }
        if exists("\\(tree)/Modules/AppCore.swiftmodule") { return (tree, false) }
      }
      let place = trees.count == 1 ? "at '\\(trees[0])'" : "on the PATH"
      let words = "there is no appcore \\(place): set APPCORE_TREE, or write to '\\(note)' where it is"
      FileHandle.standardError.write(Data("\\(words)\\n".utf8))
      exit(1)
    }
    let (tree, isInstalled) = findTree()
    """
  }

  /// Code for the paths of modules and libraries, in an installation and in a build of a checkout.
  private static let libraries = """
    let modules = isInstalled ? "\\(tree)/lib/appcore/modules" : "\\(tree)/Modules"
    let library = isInstalled ? "\\(tree)/lib" : tree

    func sources(_ module: String) -> [Substring] {
      let list = "\\(tree)/\\(module).build/sources"
      return ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "").split(separator: "\\n")
    }

    // An installed tree has the test kit and the host as libraries, and a build of the checkout in
    // pieces.
    let checkout = sources("Support").first?.components(separatedBy: "/Sources/Support/").first ?? ""
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "\\(checkout)/Sources")) ?? []
    let linked = folders.sorted().filter { !["AppCoreCLI", "AppCoreProgram"].contains($0) }
    let pieces = (["AppCoreTesting"] + linked).flatMap { module in
      sources(module).map { "\\(tree)/\\(module).build/\\($0.split(separator: "/").last ?? "").o" }
    }
    let archives = ["AppCoreHostTesting", "AppCoreTesting", "AppCoreHost"].map { "\\(library)/lib\\($0).a" }
    let kit = isInstalled ? archives : pieces
    let kitModules = isInstalled ? "\\(modules)/CYAML" : "\\(checkout)/Sources/CYAML"
    """

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
