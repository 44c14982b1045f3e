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

// The product, never the target: a target would be linked statically, and host, tests and plugins
// would each have an `AppCore` of their own.
let appCore: Target.Dependency = .product(name: "AppCore", package: "SDK")

let appCoreTesting: Target.Dependency = .product(name: "AppCoreTesting", package: "SDKTesting")

/// The plugins that ship, one folder each under `Plugins`.
let plugins = ["Packages", "Dialogs", "Session", "Notes"]

/// The gallery of case studies: a plugin for each chapter, in `Plugins/CaseStudies`.
let caseStudies = [
  "BasicsStudies", "EffectsStudies", "NavigationStudies", "SharingStudies", "HigherOrderStudies",
]

/// Plugins that tests load, most of them wrong in some way.
let mockPlugins = [
  "MockGood", "MockTrapsOnEntry", "MockThrows", "MockDuplicate", "MockConsole", "MockSlow",
  "MockRude", "MockFaults",
]

/// A module of the host, with the modules that it may import.
func module(
  _ name: String, on dependencies: [Target.Dependency] = [], embedding files: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies + [appCore], resources: files.map { .embedInCode($0) },
    swiftSettings: settings)
}

/// The tests of some modules, with the modules that they use.
func tests(
  _ name: String, on dependencies: [Target.Dependency], except excluded: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport", appCore], exclude: excluded,
    swiftSettings: settings)
}

let package = Package(
  name: "appcore",
  products: [
    .executable(name: "appcore", targets: ["AppCoreProgram"]),
    .library(name: "AppCoreHost", targets: ["AppCoreHost"]),
    .library(name: "AppCoreHostTesting", targets: ["AppCoreHostTesting"]),
    // For the benchmarks, which measure parts.
    .library(name: "AppCheck", targets: ["AppCheck"]),
    .library(name: "CYAML", targets: ["CYAML"]),
    .library(name: "Manifest", targets: ["Manifest"]),
    .library(name: "Navigation", targets: ["Navigation"]),
    .library(name: "PluginHost", targets: ["PluginHost"]),
  ]
    + (plugins + caseStudies + mockPlugins).map {
      .library(name: $0, type: .dynamic, targets: [$0])
    },
  dependencies: [
    .package(path: "Sources/SDK"),
    .package(path: "Sources/SDKTesting"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])])
  ]
    // The host's modules. Each names only modules above it: imports run one way.
    + [
      module("Support"),
      module("Manifest", on: ["CYAML", "Support"], embedding: ["ManifestRules.md"]),
      module("Navigation", on: ["Support"], embedding: ["NavigationRules.md"]),
      module("PluginHost", on: ["Manifest", "Support"], embedding: ["Rules/PluginRules.md"]),
      module(
        "Sessions", on: ["Navigation", "PluginHost", "Support"],
        embedding: ["Timeline/Rules/RecordingRules.md"]),
      module("Supervision", on: ["Sessions", "Navigation", "PluginHost", "Support"]),
      module(
        "AppCheck", on: ["Navigation", "PluginHost", "Manifest", "Support"],
        embedding: ["EditorSchema/appcore-1.json", "Rules/CheckRules.md"]),
      module("Shell", on: ["Support"], embedding: ["Rules/LineRules.md"]),
      module("LineEditor", on: ["Support"]),
      module("FullScreen", on: ["Shell", "LineEditor", "Support"]),
      module(
        "AppCoreHost",
        on: [
          "AppCheck", "Supervision", "Sessions", "FullScreen", "Shell", "LineEditor", "Navigation",
          "PluginHost", "Manifest", "Support",
        ],
        embedding: ["Rules/HostRules.md"]),
      module(
        "AppCoreHostTesting",
        on: [
          "AppCoreHost", "AppCheck", "Sessions", "Shell", "Navigation", "Support", appCoreTesting,
        ]),
      module(
        "AppCoreCLI",
        on: [
          "AppCoreHost", "AppCheck", "Supervision", "Sessions", "Shell", "Navigation",
          "PluginHost", "Manifest", "Support",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
          .product(name: "Logging", package: "swift-log"),
        ],
        embedding: ["Pages/Viewer", "Templates"]),
    ]
    + [
      // What only the program may be: its functions stand in for those of the C library and of the
      // unwinder, for the whole process.
      .executableTarget(
        name: "AppCoreProgram", dependencies: ["AppCoreCLI", "Supervision", "Support"],
        swiftSettings: settings,
        linkerSettings: [
          .unsafeFlags([
            "-Xlinker", "--export-dynamic-symbol=pthread_create",
            "-Xlinker", "--export-dynamic-symbol=syscall",
            "-Xlinker", "--export-dynamic-symbol=_Unwind_Backtrace",
          ])
        ]
      ),
      // A host of its own, for tests that may lose it.
      .executableTarget(
        name: "MockHost", dependencies: ["AppCoreHost", appCore],
        path: "Tests/Fixtures/MockHost",
        swiftSettings: settings),
      // What several test targets use.
      .target(
        name: "TestSupport", dependencies: [appCore], path: "Tests/TestSupport",
        swiftSettings: settings),
      tests("AppCoreTests", on: []),
      tests(
        "AppCoreTestingTests", on: ["AppCoreHostTesting", appCoreTesting], except: ["Golden"]),
      tests("PluginHostTests", on: ["PluginHost", "Manifest", "Support"]),
      tests(
        "NavigationTests",
        on: [
          "AppCheck", "Sessions", "Supervision", "Navigation", "PluginHost", "Manifest", "Support",
        ]
      ),
      tests(
        "ShellTests",
        on: ["FullScreen", "Shell", "LineEditor", "AppCheck", "Supervision", "Support"],
        except: ["Golden"]),
      tests(
        "PluginsTests",
        on: [
          "Packages", "Dialogs", "Notes", "Session", "BasicsStudies", "EffectsStudies",
          "NavigationStudies", "SharingStudies", "HigherOrderStudies", "AppCheck",
          "AppCoreHostTesting", appCoreTesting,
        ],
        except: ["CaseStudies/Golden", "CaseStudies/Scripts"]),
      tests(
        "AppCoreHostTests",
        on: [
          "AppCoreHostTesting", "AppCoreCLI", "AppCoreHost", "AppCheck", "Supervision", "Manifest",
          "Sessions", "Navigation", "PluginHost", "FullScreen", "LineEditor", "Shell", "Support",
          appCoreTesting,
        ]),
      tests(
        "AppCoreCLITests",
        on: ["AppCoreCLI", "AppCoreHost", "AppCheck", "PluginHost", "Supervision", "Support"]),
    ]
    + plugins.map {
      .target(
        name: $0, dependencies: [appCore], path: "Plugins/\($0)", swiftSettings: settings)
    }
    + caseStudies.map {
      .target(
        name: $0, dependencies: [appCore], path: "Plugins/CaseStudies/\($0)",
        swiftSettings: settings)
    }
    + mockPlugins.map {
      .target(
        name: $0, dependencies: [appCore], path: "Tests/Fixtures/MockPlugins/\($0)",
        swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)

// `make test TARGETS=…` compiles the tests of some modules alone.
if let chosen = Context.environment["APPCORE_TEST_TARGETS"]?.split(separator: ",") {
  package.targets.removeAll { $0.type == .test && !chosen.contains($0.name[...]) }
}
