@_spi(Host) internal import AppCheck
@_spi(Host) public import AppCore
@_spi(Host) public import AppCoreHost
@_spi(Host) public import AppCoreTesting
internal import Shell

/// A test harness that runs a whole app: a manifest, its plugins or mocks, and a test clock.
///
/// ```swift
/// let app = try await AppHarness(
///   manifest: "manifests/packages.yaml",
///   mocks: [MockFeature("Dialogs.Confirm", delegates: ["confirmed", "declined"])])
/// try await app.type("@libc6")
/// #expect(await app.path == "/list/detail;name=libc6")
/// ```
///
/// Plugins come from `plugins`, which are types that the test links, then from `mocks`; all others
/// are loaded from their files, as `appcore run` does. Each call returns once the app is idle: no
/// action is queued, and every effect has ended or waits on the clock.
///
/// Features have the dependencies of a `withDependencies` around the harness's creation, in the
/// context `.test` and with ``clock``; `dependencies` replaces some of them.
public actor AppHarness {
  /// The clock that effects wait on.
  public nonisolated let clock: TestClock
  public nonisolated let app: App
  /// The lines that were refused, the latest last.
  public private(set) var refusals: [RefusedLine] = []

  private let timeout: Duration
  private var hasEnded = false
  /// How many events there were before the test's last action; later ones are shown as its notices.
  private var eventCount = 0

  /// Loads an app from a manifest's file and shows its start node.
  ///
  /// The options are those that the command line would give; the width of screens is in columns. The
  /// timeout, in real time, is how long each action waits for running effects.
  ///
  /// - Throws: ``AppHarnessError/load(_:)`` with every problem; other cases if the mocks or plugins
  ///   don't match the manifest.
  public init(
    manifest path: String, plugins: [any Plugin.Type] = [], mocks: [MockFeature] = [],
    options: AppOptions = AppOptions(), clock: TestClock = TestClock(), width: Int = 100,
    timeout: Duration = .seconds(60),
    dependencies: @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async throws(AppHarnessError) {
    try await self.init(
      plugins, mocks, options, clock, width, timeout, dependencies
    ) { options throws(AppLoadError) in try LoadedApp.load(path, options: options) }
  }

  /// Loads an app from a manifest's text and shows its start node.
  ///
  /// Messages name the manifest `name`, in whose folder it includes files. All else is as for a
  /// manifest's file.
  ///
  /// - Throws: ``AppHarnessError/load(_:)`` with every problem; other cases if the mocks or plugins
  ///   don't match the manifest.
  public init(
    text: String, named name: String = "manifest.yaml", plugins: [any Plugin.Type] = [],
    mocks: [MockFeature] = [], options: AppOptions = AppOptions(), clock: TestClock = TestClock(),
    width: Int = 100, timeout: Duration = .seconds(60),
    dependencies: @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async throws(AppHarnessError) {
    try await self.init(
      plugins, mocks, options, clock, width, timeout, dependencies
    ) { options throws(AppLoadError) in
      try LoadedApp.load(text: text, path: name, options: options)
    }
  }

  private init(
    _ plugins: [any Plugin.Type], _ mocks: [MockFeature], _ options: AppOptions, _ clock: TestClock,
    _ width: Int, _ timeout: Duration, _ dependencies: @Sendable (inout DependencyValues) -> Void,
    load: (AppOptions) throws(AppLoadError) -> LoadedApp
  ) async throws(AppHarnessError) {
    let linked = try Self.linked(plugins, mocks)
    var options = options
    options.linkedPlugins = linked
    let loaded: LoadedApp
    do throws(AppLoadError) {
      loaded = try load(options)
    } catch {
      throw .load(error)
    }
    for plugin in linked where !loaded.pluginNames.contains(plugin.name) {
      throw .unusedPlugin(plugin.name, manifest: loaded.pluginNames)
    }
    let values = DependencyValues.current(changedBy: {
      $0.context = .test
      $0.clock = clock.appClock
      if DependencyValues.ownSharedStorage == nil { $0.sharedStorage = SharedStorage() }
      dependencies(&$0)
    })
    self.clock = clock
    self.timeout = timeout
    app = App(loaded, dependencies: values)
    let executor = EffectExecutor(for: app.thread)
    await app.runEffects(on: executor)
    // Also between two sleepers that the clock wakes.
    executor.whenSettled { [weak app] in await app?.startTasks() ?? false }
    do throws(AppLoadError) {
      try await app.begin()
    } catch {
      throw .load(error)
    }
    await app.converse(SessionSettings(width: width))
    try await settle(after: "the start")
    // Numbers in lines refer to the screen that was read last.
    _ = await app.readScreen(noticesAfter: 0)
  }

  private static func linked(
    _ plugins: [any Plugin.Type], _ mocks: [MockFeature]
  ) throws(AppHarnessError) -> [LoadedPlugin] {
    let linked = plugins.map { LoadedPlugin($0) }
    return linked + (try MockFeature.plugins(of: mocks, besides: linked))
  }

  /// The screen as it is now.
  public var screen: ShownScreen {
    get async { ShownScreen(await app.readScreen(noticesAfter: eventCount)) }
  }

  /// Begins an action of the test: later events are shown as its notices.
  func begin() async { eventCount = await app.eventCount }

  /// Waits until the app is idle; `deed` is the test's last action, for the error message.
  ///
  /// - Throws: ``AppHarnessError/unsettled(after:limit:)`` if that takes longer than the timeout.
  func settle(after deed: String) async throws(AppHarnessError) {
    guard await !app.settle(within: timeout) else { return }
    throw .unsettled(after: deed, limit: timeout)
  }

  /// Carries out one line.
  ///
  /// - Returns: the refused line, with the reason; `nil` if the line was carried out.
  func carryOut(_ line: String) async throws(AppHarnessError) -> RefusedLine? {
    guard !line.contains(where: \.isNewline) else { throw .severalLines(line) }
    guard !hasEnded else { throw .ended(line: line) }
    await begin()
    let reply = await app.send(line: Array(line.utf8), within: timeout)
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

extension MockFeature {
  /// The plugins that contain a test's mocks: one for each plugin name in the mocks' names, in the
  /// order of these; linked plugins can't have mocks.
  ///
  /// - Throws: ``AppHarnessError`` if a mock's name is malformed, used twice or that of a linked
  ///   plugin's feature.
  static func plugins(
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

/// Why an ``AppHarness`` could not carry out an action of a test.
public enum AppHarnessError: Error {
  /// The app can't be loaded or started; the error lists every problem.
  case load(AppLoadError)
  /// A mock's name is not of the form `Plugin.Feature`.
  case mockName(String)
  /// Two mocks have the same name.
  case mockTwice(String)
  /// A mock belongs to a plugin that the test also links as a type.
  case mockOfPlugin(String)
  /// The manifest does not use a plugin of the test.
  case unusedPlugin(String, manifest: [String])
  case refused(RefusedLine)
  /// A line that should have been refused was not.
  case accepted(line: String)
  /// A line contains a newline.
  case severalLines(String)
  /// A line came after the app had quit.
  case ended(line: String)
  /// Effects were still running after the harness's timeout.
  case unsettled(after: String, limit: Duration)
  /// A recording can't be read, contains a line with a secret, or has another path than the app.
  case recording(String)
  /// An instance can't emit an action, or its state can't be read.
  case instance(InstanceError)
}

extension AppHarnessError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .load(let error): "\(error)"
    case .mockName(let name):
      "the mock '\(name)' is not named 'Plugin.Feature'; name it as the manifest's nodes do"
    case .mockTwice(let name): "there are two mocks named '\(name)'; leave one of them out"
    case .mockOfPlugin(let name):
      "the mock '\(name)' belongs to a plugin that 'plugins' holds too; leave one of them out, or "
        + "mock all of the plugin's features"
    case .unusedPlugin(let name, let manifest):
      "the manifest names no plugin '\(name)', so it is not used; it names: "
        + manifest.joined(separator: ", ")
    case .refused(let refusal): "\(refusal)"
    case .accepted(let line):
      "the line '\(line)' should have been refused, and was carried out"
    case .severalLines(let text):
      "'\(text)' holds a newline; give each line as an argument of its own"
    case .ended(let line): "the line '\(line)' came after the app had quit"
    case .unsettled(let after, let limit):
      "\(after): effects were still at work after \(limit); they probably wait for something else "
        + "than the clock. Put a dependency in its place, or wait longer with 'timeout:'"
    case .recording(let reason): reason
    case .instance(let problem): "\(problem)"
    }
  }
}

/// A line that was refused, and changed nothing.
public struct RefusedLine: Hashable, Sendable, CustomStringConvertible {
  public let line: String
  /// The refusal's code, as in `no-such-id`.
  public let code: String
  /// Why, in words.
  public let reason: String

  public init(line: String, code: String, reason: String) {
    self.line = line
    self.code = code
    self.reason = reason
  }

  public var description: String { "the line '\(line)' was refused: \(reason) [\(code)]" }
}
