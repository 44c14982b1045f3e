@_spi(Host) internal import AppCheck
@_spi(Host) public import AppCore
@_spi(Host) public import AppCoreHost
public import AppCoreTesting
internal import Conversation
internal import Shell

/// Runs a whole app inside a test: a manifest, its plugins or mocks of them, and a clock.
///
/// ```swift
/// let app = try await AppHarness(
///   manifest: "manifests/packages.yaml",
///   mocks: [MockFeature("Dialogs.Confirm", delegates: ["confirmed", "declined"])])
/// try await app.type("@libc6")
/// #expect(await app.path == "/list/detail;name=libc6")
/// ```
///
/// Plugins are taken from `plugins`, which are types that the test links, then from `mocks`; what
/// neither has is loaded from its file, as `appcore run` would. Whatever a test does, the harness
/// returns when all that follows from it has happened: no action is queued, and every effect has
/// ended or waits on the clock.
public actor AppHarness {
  /// The clock that effects wait on.
  public nonisolated let clock: TestClock
  /// The app itself.
  public nonisolated let app: App
  /// The lines that were refused, the latest last.
  public private(set) var refusals: [RefusedLine] = []

  private let patience: Duration
  private var hasEnded = false
  /// How many events there were before what the test did last: the later ones are its notices.
  private var eventCount = 0

  /// Loads an app from a manifest's file and shows its start node.
  ///
  /// - Parameters:
  ///   - path: the manifest.
  ///   - plugins: plugins that are part of the test.
  ///   - mocks: features made of declarations.
  ///   - options: variables, plugin path and environment, as the command line would give them.
  ///   - clock: the clock that effects wait on.
  ///   - width: how many columns screens have.
  ///   - patience: how long effects may be at work, by the machine's clock.
  ///   - dependencies: puts other values in the place of what features find in their surroundings.
  /// - Throws: ``AppHarnessError/load(_:)`` with every problem, or what is wrong with the mocks.
  public init(
    manifest path: String, plugins: [any Plugin.Type] = [], mocks: [MockFeature] = [],
    options: AppOptions = AppOptions(), clock: TestClock = TestClock(), width: Int = 100,
    patience: Duration = .seconds(60),
    dependencies: @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async throws(AppHarnessError) {
    var options = options
    options.linkedPlugins = try Self.linked(plugins, mocks)
    let loaded: LoadedApp
    do throws(AppLoadError) {
      loaded = try LoadedApp.load(path, options: options)
    } catch {
      throw .load(error)
    }
    try await self.init(
      loaded, linked: options.linkedPlugins, clock: clock, width: width, patience: patience,
      dependencies: dependencies)
  }

  /// Loads an app from a manifest's text and shows its start node.
  ///
  /// - Parameters:
  ///   - text: the manifest.
  ///   - name: what it is called in messages; includes are found relative to its folder.
  ///   - plugins: plugins that are part of the test.
  ///   - mocks: features made of declarations.
  ///   - options: variables, plugin path and environment, as the command line would give them.
  ///   - clock: the clock that effects wait on.
  ///   - width: how many columns screens have.
  ///   - patience: how long effects may be at work, by the machine's clock.
  ///   - dependencies: puts other values in the place of what features find in their surroundings.
  /// - Throws: ``AppHarnessError/load(_:)`` with every problem, or what is wrong with the mocks.
  public init(
    text: String, named name: String = "manifest.yaml", plugins: [any Plugin.Type] = [],
    mocks: [MockFeature] = [], options: AppOptions = AppOptions(), clock: TestClock = TestClock(),
    width: Int = 100, patience: Duration = .seconds(60),
    dependencies: @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async throws(AppHarnessError) {
    var options = options
    options.linkedPlugins = try Self.linked(plugins, mocks)
    let loaded: LoadedApp
    do throws(AppLoadError) {
      loaded = try LoadedApp.load(text: text, path: name, options: options)
    } catch {
      throw .load(error)
    }
    try await self.init(
      loaded, linked: options.linkedPlugins, clock: clock, width: width, patience: patience,
      dependencies: dependencies)
  }

  private init(
    _ loaded: LoadedApp, linked: [LoadedPlugin], clock: TestClock, width: Int,
    patience: Duration, dependencies: @Sendable (inout DependencyValues) -> Void
  ) async throws(AppHarnessError) {
    for plugin in linked where !loaded.pluginNames.contains(plugin.name) {
      throw .unusedPlugin(plugin.name, manifest: loaded.pluginNames)
    }
    var values = DependencyValues(context: .test)
    values.clock = clock.appClock
    values.sharedStorage = SharedStorage()
    values.change(dependencies)
    self.clock = clock
    self.patience = patience
    app = App(loaded, dependencies: values)
    do throws(AppLoadError) {
      try await app.begin()
    } catch {
      throw .load(error)
    }
    await app.converse(SessionSettings(width: width))
    try await settle(after: "the start")
    // What is shown is what numbers mean.
    _ = await app.readScreen(noticesAfter: 0)
  }

  private static func linked(
    _ plugins: [any Plugin.Type], _ mocks: [MockFeature]
  ) throws(AppHarnessError) -> [LoadedPlugin] {
    let linked = plugins.map { plugin in
      func loaded(_ plugin: (some Plugin).Type) -> LoadedPlugin { LoadedPlugin(plugin) }
      return loaded(plugin)
    }
    return linked + (try MockPlugins.make(of: mocks, besides: linked))
  }

  /// The screen as it is now.
  public var screen: ShownScreen {
    get async { ShownScreen(await app.readScreen(noticesAfter: eventCount)) }
  }

  /// Notes that a test does something: what happens from now on is of its doing.
  func begin() async { eventCount = await app.eventCount }

  /// Waits until all that follows from what a test did has happened.
  func settle(after deed: String) async throws(AppHarnessError) {
    guard await !app.settle(within: patience) else { return }
    throw .unsettled(after: deed, limit: patience)
  }

  /// Carries out one line.
  func carryOut(_ line: String) async throws(AppHarnessError) -> RefusedLine? {
    guard !line.contains(where: \.isNewline) else { throw .severalLines(line) }
    guard !hasEnded else { throw .ended(line: line) }
    await begin()
    let reply = await app.send(line: Array(line.utf8), within: patience)
    switch reply.outcome {
    case .refused(let code):
      let refusal = RefusedLine(line: line, code: code, reason: reply.reason ?? "")
      refusals.append(refusal)
      return refusal
    case .quit: hasEnded = true
    case .accepted: try await settle(after: "the line '\(line)'")
    case .nothing, .needsMoreLines, .prompt: break
    }
    return nil
  }
}

/// The plugins that are behind mocks.
enum MockPlugins {
  /// One plugin for each name that the mocks' names begin with.
  static func make(
    of mocks: [MockFeature], besides plugins: [LoadedPlugin]
  ) throws(AppHarnessError) -> [LoadedPlugin] {
    var features: [String: [DeclaredFeature]] = [:]
    var names: Set<String> = []
    for mock in mocks {
      guard let (plugin, feature) = mock.parts else { throw .mockName(mock.name) }
      guard names.insert(mock.name).inserted else { throw .mockTwice(mock.name) }
      if plugins.contains(where: { $0.name == plugin }) { throw .mockOfPlugin(mock.name) }
      features[plugin, default: []].append(
        DeclaredFeature(
          MockBody(mock: mock), name: feature, arguments: mock.arguments,
          delegates: mock.delegates.map(\.schema), inputs: mock.inputs.map(\.schema)))
    }
    return features.sorted { $0.key < $1.key }.map { name, features in
      let plugin = mocks.first { $0.parts?.plugin == name }?.plugin
      return LoadedPlugin(
        name: name, version: plugin?.version ?? "1.0.0",
        configuration: plugin?.configuration ?? .any, features: features)
    }
  }
}
