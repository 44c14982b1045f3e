import Foundation
import TestSupport
import Testing

/// A host with an SDK that has changed since, and plugins that know nothing of it.
///
/// The host's own code is today's: it relies on no more of the SDK than plugins do, and so only the
/// SDK is compiled.
@Suite("A host of a later release", .long)
struct ChangedHostTests {
  /// A change of one of the SDK's sources.
  private struct Change {
    let file: String
    let part: String
    let other: String
  }

  private static let changes = [
    Change(
      file: "SDK.swift", part: "static let version = \"", other: "static let version = \"7.5."),
    // An operator, and what a store does for it.
    Change(
      file: "Effects/Effect.swift", part: "  enum Kind: Sendable {\n",
      other: "  enum Kind: Sendable {\n    case nothing(Int)\n"),
    Change(
      file: "Effects/EffectRunner.swift", part: "    switch operation.kind {\n",
      other: "    switch operation.kind {\n    case .nothing: return []\n"),
    Change(
      file: "Effects/Effect+Composition.swift",
      part: "  /// Runs this effect and `other` concurrently.\n",
      other: """
          /// Nothing, after this effect.
          public func followedByNothing() -> Self {
            concatenate(with: Self(EffectOperation.Kind.nothing(1)))
          }

          /// Runs this effect and `other` concurrently.\n
        """),
    // Stored properties, before those that there are.
    Change(
      file: "Store/Store.swift", part: "public final class Store<State, Action: Sendable> {\n",
      other: """
        public final class Store<State, Action: Sendable> {
          public private(set) var marks: [String] = ["one", "two"]\n
        """),
    Change(
      file: "Screens/Screen.swift", part: "public struct Screen<Action: FeatureAction> {\n",
      other: """
        public struct Screen<Action: FeatureAction> {
          public var mark: String? = "a mark that is longer than fifteen bytes"\n
        """),
    // A case of an enum that is not frozen, before the others.
    Change(
      file: "Screens/ScreenContent.swift", part: "public enum TextStyle: Sendable {\n",
      other: "public enum TextStyle: Sendable {\n  case loud\n"),
    // What `ifLet` calls.
    Change(
      file: "Reducers/Operators/ChildOperator.swift",
      part: "      let hasEffects = cursor != nil || !effect.isNone\n",
      other: "      let hasEffects = true\n"),
    Change(
      file: "State/PresentationID.swift",
      part: "  private let isIdentifiable = State.self is any Identifiable.Type\n",
      other: """
          private let mark = [1, 2, 3]
          private let isIdentifiable = State.self is any Identifiable.Type\n
        """),
  ]

  /// A copy of the SDK with the changes, built, and the host beside it, which loads that SDK.
  private func build(in folder: TemporaryFolder) async throws -> String {
    let copy = folder.url.appendingPathComponent("SDK")
    try FileManager.default.copyItem(
      at: packageFolder.appendingPathComponent("Sources/SDK"), to: copy)
    try? FileManager.default.removeItem(at: copy.appendingPathComponent(".build"))
    for change in Self.changes {
      let file = copy.appendingPathComponent("AppCore/" + change.file)
      let text = try String(contentsOf: file, encoding: .utf8)
      try #require(text.contains(change.part), "\(change.file) has no '\(change.part)'")
      try text.replacing(change.part, with: change.other, maxReplacements: 1)
        .write(to: file, atomically: true, encoding: .utf8)
    }
    let result = try await Program.run(
      "/usr/bin/env",
      ["-u", "APPCORE_WARNINGS_AS_ERRORS", "swift", "build", "--disable-sandbox"],
      folder: copy, mergesErrors: true)
    try #require(result.status == 0, "\(result.output.suffix(4000))")
    let build = copy.appendingPathComponent(".build/debug")
    try FileManager.default.copyItem(
      at: buildFolder.appendingPathComponent("appcore"),
      to: build.appendingPathComponent("appcore"))
    return build.path
  }

  @Test("It runs plugins of earlier releases and of this one; and this one keeps its promise")
  func outlives() async throws {
    let folder = try TemporaryFolder()
    let build = try await build(in: folder)
    for release in OldPlugins.releases {
      try await OldPlugins(release).runScripts(by: build + "/appcore")
    }
    let inspected = try await Program.run(build + "/appcore", ["--version"])
    #expect(inspected.output.hasPrefix("appcore 7.5."))

    let checked = try await Program.run(
      "/usr/bin/env",
      ["python3", "scripts/api.py", "check", "--modules", build + "/Modules"], mergesErrors: true)
    #expect(checked.status == 0, "\(checked.output)")

    let today = try await Program.run(
      build + "/appcore",
      [
        "run", "manifests/packages.yaml", "--plugin-path", buildFolder.path, "-c", ":path",
        "--set", "status=Tests/Fixtures/dpkg/status",
      ])
    #expect(today.status == 0, "\(today.errors)")
  }
}
