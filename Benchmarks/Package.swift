// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  products: [
    .library(name: "BenchCounter", type: .dynamic, targets: ["BenchCounter"])
  ],
  dependencies: [
    // The name is given: the identity of a local package is its folder's, whatever the clone is
    // called.
    .package(name: "appcore", path: ".."),
    .package(path: "../Sources/SDK"),
    // What 'IdentifiedArray' is measured beside.
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .target(name: "BenchCounter", dependencies: [.product(name: "AppCore", package: "SDK")]),
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCounter",
        .product(name: "AppCore", package: "SDK"),
        .product(name: "AppCheck", package: "appcore"),
        .product(name: "AppCoreHost", package: "appcore"),
        .product(name: "CYAML", package: "appcore"),
        .product(name: "Manifest", package: "appcore"),
        .product(name: "Navigation", package: "appcore"),
        .product(name: "PluginHost", package: "appcore"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      plugins: ["GeneratedReducers"]
    ),
    .executableTarget(name: "ReducerGenerator"),
    .plugin(
      name: "GeneratedReducers", capability: .buildTool(), dependencies: ["ReducerGenerator"]),
  ],
  swiftLanguageModes: [.v6]
)
