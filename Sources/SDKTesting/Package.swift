// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SDKTesting",
  products: [.library(name: "AppCoreTesting", targets: ["AppCoreTesting"])],
  dependencies: [
    .package(path: "../SDK"),
    .package(name: "appcore", path: "../.."),
  ],
  targets: [
    .target(
      name: "AppCoreTesting",
      dependencies: [
        .product(name: "AppCore", package: "SDK"),
        .product(name: "AppCoreHost", package: "appcore"),
      ],
      path: "AppCoreTesting",
      swiftSettings: settings
    )
  ],
  swiftLanguageModes: [.v6]
)
