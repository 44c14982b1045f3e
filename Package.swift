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

/// Plugins that tests load, most of them wrong in one way.
let mockPlugins = [
  "MockGood", "MockNoEntry", "MockTrapsOnEntry", "MockThrows", "MockOtherContract",
  "MockDuplicate", "MockConsole", "MockSlow", "MockRude", "MockFaults", "MockMissingSymbol",
  "MockIntruder", "MockHostile",
]

/// A module of the host, with the modules that it may import.
func module(
  _ name: String, on dependencies: [Target.Dependency] = [], embedding files: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies + [appCore], resources: files.map { .embedInCode($0) },
    swiftSettings: settings)
}

let package = Package(
  name: "appcore",
  products: [
    .executable(name: "appcore", targets: ["AppCoreCLI"]),
    .library(name: "AppCoreHost", targets: ["AppCoreHost", "Conversation"]),
    .library(name: "AppCoreHostTesting", targets: ["AppCoreHostTesting"]),
    // For the benchmarks, which measure parts.
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
      module("Diagnostics", on: ["Support"]),
      module("Manifest", on: ["CYAML", "Diagnostics", "Support"]),
      module("Navigation", on: ["Manifest", "Diagnostics", "Support"]),
      module("PluginHost", on: ["Diagnostics", "Support"]),
      module("Lock", on: ["PluginHost", "Manifest", "Diagnostics", "Support"]),
      module(
        "AppCheck",
        on: [
          "CrashReporting", "Lock", "Navigation", "PluginHost", "Manifest", "Diagnostics",
          "Support",
        ]),
      module("Sessions", on: ["Navigation", "PluginHost", "Diagnostics", "Support"]),
      module("Timeline", on: ["Sessions", "Navigation", "Diagnostics", "Support"]),
      module("Shell", on: ["Diagnostics", "Support"]),
      module("LineEditor", on: ["Support"]),
      module("CrashReporting", on: ["Navigation", "Support"]),
      module(
        "AppCoreHost",
        on: [
          "AppCheck", "CrashReporting", "Timeline", "Sessions", "Shell", "Navigation",
          "PluginHost", "Manifest", "Diagnostics", "Support",
        ]),
      module("PluginTools", on: ["AppCheck", "PluginHost", "Support"]),
      module(
        "Pages", on: ["AppCheck", "Support"],
        embedding: [
          "Viewer/page.css", "Viewer/timeline.css", "Viewer/graph.js", "Viewer/graph-page.js",
          "Viewer/steps.js", "Viewer/list.js", "Viewer/timeline.js",
        ]),
      module(
        "Workspaces", on: ["AppCheck", "PluginHost", "Manifest", "Diagnostics", "Support"]),
      module(
        "Shipping",
        on: [
          "Workspaces", "PluginTools", "AppCheck", "CrashReporting", "Lock", "Sessions",
          "Navigation", "PluginHost", "Manifest", "Diagnostics", "Support",
        ]),
      module(
        "Conversation",
        on: [
          "Shipping", "AppCoreHost", "AppCheck", "CrashReporting", "Lock", "Timeline", "Sessions",
          "Shell", "LineEditor", "Navigation",
          "PluginHost", "Manifest", "Diagnostics", "Support",
        ]),
      module(
        "AppCoreHostTesting",
        on: [
          "Conversation", "AppCoreHost", "AppCheck", "Timeline", "Shell", "Navigation",
          "Diagnostics",
          appCoreTesting,
        ]),
    ]
    + [
      .executableTarget(
        name: "AppCoreCLI",
        dependencies: [
          "Conversation", "Shipping", "Workspaces", "PluginTools", "Pages", "AppCoreHost",
          "AppCheck", "CrashReporting", "Lock", "Timeline", "Sessions", "Shell", "PluginHost",
          "Diagnostics", "Support", appCore,
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
          .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: settings,
        // They stand in for those of the C library and of the unwinder, for the whole process.
        linkerSettings: [
          .unsafeFlags([
            "-Xlinker", "--export-dynamic-symbol=pthread_create",
            "-Xlinker", "--export-dynamic-symbol=_Unwind_Backtrace",
          ])
        ]
      ),
      // A host of its own, for tests that may lose it.
      .executableTarget(
        name: "MockHost", dependencies: ["Conversation", "AppCoreHost", appCore],
        path: "Tests/Fixtures/MockHost",
        swiftSettings: settings),
      // What several test targets use.
      .target(
        name: "TestSupport", dependencies: [appCore], path: "Tests/TestSupport",
        swiftSettings: settings),
      .testTarget(
        name: "AppCoreTests", dependencies: ["TestSupport", appCore], swiftSettings: settings),
      .testTarget(
        name: "ManifestTests", dependencies: ["TestSupport", "Manifest", "Diagnostics", "Support"],
        swiftSettings: settings),
      .testTarget(
        name: "PluginHostTests",
        dependencies: ["TestSupport", "PluginHost", "Diagnostics", "Support", appCore],
        swiftSettings: settings
      ),
      .testTarget(
        name: "LockTests",
        dependencies: ["TestSupport", "Lock", "PluginHost", "Diagnostics", "Support", appCore],
        swiftSettings: settings
      ),
      .testTarget(
        name: "NavigationTests",
        dependencies: [
          "TestSupport", "Sessions", "Navigation", "Manifest", "Diagnostics", "Support", appCore,
        ],
        swiftSettings: settings
      ),
      .testTarget(
        name: "SessionsTests",
        dependencies: [
          "TestSupport", "Sessions", "Navigation", "PluginHost", "Support", appCore,
        ],
        swiftSettings: settings
      ),
      .testTarget(
        name: "TimelineTests",
        dependencies: [
          "TestSupport", "Timeline", "Sessions", "Diagnostics", "Support", appCore,
        ],
        swiftSettings: settings
      ),
      .testTarget(
        name: "PackagesTests",
        dependencies: [
          "TestSupport", "Packages", "Dialogs", appCore,
          appCoreTesting,
        ],
        swiftSettings: settings),
      .testTarget(
        name: "NotesTests",
        dependencies: [
          "TestSupport", "Notes", "Session", "AppCheck", "AppCoreHostTesting", appCore,
          appCoreTesting,
        ],
        swiftSettings: settings),
      .testTarget(
        name: "CaseStudiesTests",
        dependencies: [
          "TestSupport", "BasicsStudies", "EffectsStudies", "NavigationStudies", "SharingStudies",
          "HigherOrderStudies", appCore, appCoreTesting,
        ],
        exclude: ["Golden", "Scripts"],
        swiftSettings: settings),
      .testTarget(
        name: "ShellTests",
        dependencies: [
          "TestSupport", "Shell", "LineEditor", "AppCheck", "CrashReporting", "Diagnostics",
          "Support", appCore,
        ],
        exclude: ["Golden"],
        swiftSettings: settings
      ),
      .testTarget(
        name: "PagesTests", dependencies: ["TestSupport", "Pages", "AppCheck", "Support"],
        swiftSettings: settings),
      .testTarget(
        name: "WorkspacesTests", dependencies: ["TestSupport", "Workspaces"],
        swiftSettings: settings),
      .testTarget(
        name: "ShippingTests",
        dependencies: ["TestSupport", "Shipping", "Lock", "Support", "Diagnostics"],
        swiftSettings: settings),
      .testTarget(
        name: "DocumentationTests", dependencies: ["TestSupport"], swiftSettings: settings),
      .testTarget(
        name: "AppCoreCLITests", dependencies: ["TestSupport", appCore],
        swiftSettings: settings
      ),
      .testTarget(
        name: "InstallTests",
        dependencies: ["TestSupport", "Conversation", "AppCoreHost", "AppCheck", appCore],
        swiftSettings: settings
      ),
      .testTarget(
        name: "AppCoreTestingTests",
        dependencies: ["TestSupport", "AppCoreHostTesting", appCore, appCoreTesting],
        exclude: ["Golden"], swiftSettings: settings
      ),
      .testTarget(
        name: "AppCoreHostTests",
        dependencies: [
          "TestSupport", "AppCoreHostTesting", "Conversation", "PluginTools", "AppCoreHost",
          "AppCheck",
          "CrashReporting", "Lock", "Manifest", "Timeline", "Sessions",
          "Navigation", "PluginHost", "Shell", "Diagnostics", "Support", appCore,
          appCoreTesting,
        ],
        swiftSettings: settings
      ),
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
