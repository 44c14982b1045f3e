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
  dependencies: [.package(path: "../SDK")],
  targets: [
    .target(
      name: "AppCoreTesting",
      dependencies: [.product(name: "AppCore", package: "SDK")],
      path: "AppCoreTesting",
      swiftSettings: settings
    )
  ],
  swiftLanguageModes: [.v6]
)
