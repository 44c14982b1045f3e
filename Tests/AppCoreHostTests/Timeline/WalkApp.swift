@_spi(Host) internal import AppCore
@_spi(Host) internal import AppCoreHost
import Foundation
internal import Navigation
internal import Sessions
internal import Shell
internal import Support
import TestSupport
import Testing

/// Apps of the plugin that walks.
enum WalkApp {
  static let manifest = """
    appcore: 1
    name: walk
    title: Walk
    plugins: [Walk]
    start: walk
    nodes:
      walk: { feature: Walk.Walk }
    routes:
      - { from: walk, action: opened, push: walk }
    """

  static func loaded<Rule: WalkRule>(
    _ rule: Rule.Type, manifest: String = manifest
  ) throws -> LoadedApp {
    var options = AppOptions()
    options.linkedPlugins = [LoadedPlugin(WalkPlugin<Rule>.self)]
    return try LoadedApp.load(text: manifest, path: "walk.yaml", options: options)
  }

  /// Dependencies with shared values of their own: other tests, which run at the same time, change
  /// theirs.
  static func own(_ dependencies: DependencyValues? = nil) -> DependencyValues {
    var values = dependencies ?? DependencyValues()
    values.sharedStorage = SharedStorage()
    return values
  }

  /// An app that has begun, whose steps are kept.
  static func begun(
    file: String? = nil, historyLimit: Int = 1 << 20, dependencies: DependencyValues? = nil,
    manifest: String = manifest
  ) async throws -> App {
    var options = TimelineOptions()
    options.historyLimit = historyLimit
    options.file = try file.map { try RecordingFile(path: $0) }
    let app = App(
      try loaded(FirstRule.self, manifest: manifest), dependencies: own(dependencies),
      profiler: nil, timeline: options)
    try await app.begin()
    await app.converse()
    _ = await app.show()
    return app
  }
}

extension App {
  /// Types lines, which must not be refused.
  func type(_ lines: String...) async -> [String] {
    var printed: [String] = []
    for line in lines {
      let reply = await send(line: line)
      #expect(reply.reason == nil, "\(line)")
      printed = reply.lines
    }
    return printed
  }

  func refusal(of line: String) async -> String? {
    if case .refused(let code) = await send(line: line).outcome { code } else { nil }
  }
}
