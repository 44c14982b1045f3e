// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (Context.environment["APPCORE_WARNINGS_AS_ERRORS"] == nil
    ? [] : [.treatAllWarnings(as: .error)])

let package = Package(
  name: "SDK",
  products: [
    // One dynamic library that host, tests and plugins share. Linked statically, each of them would
    // have its own copy of `AppCore`, and a plugin's registration would reach a copy the host
    // never looks at.
    .library(name: "AppCore", type: .dynamic, targets: ["AppCore"])
  ],
  targets: [
    .target(
      name: "AppCore",
      path: "AppCore",
      swiftSettings: settings + [.unsafeFlags(["-enable-library-evolution"])],
      plugins: ["ContractPlugin"]
    ),
    .executableTarget(name: "ContractTool", path: "ContractTool", swiftSettings: settings),
    .plugin(
      name: "ContractPlugin",
      capability: .buildTool(),
      dependencies: ["ContractTool"],
      path: "Plugins/ContractPlugin"
    ),
  ],
  swiftLanguageModes: [.v6]
)
