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
