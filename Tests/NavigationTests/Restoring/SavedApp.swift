@_spi(Host) import AppCore
import Glibc
import Sessions
import Testing

@_spi(Host) @testable import Navigation

/// An app of mock features that is written down, and another one that continues with it.
@MainActor
final class SavedApp {
  private let files: (ImageFile, ImageFile)
  private let recorder = SessionRecorder()
  private let writer: ImageWriter
  private let graph: Graph
  private let table: FeatureTable
  private let version: String

  init(_ graph: Graph, version: String = "1.0.0") throws {
    files = (
      try #require(ImageFile(inMemory: "first")), try #require(ImageFile(inMemory: "second"))
    )
    writer = ImageWriter(files: files, after: 0)
    self.graph = graph
    table = FeatureTable(try TestApp.features(of: graph))
    self.version = version
  }

  deinit {
    close(files.0.descriptor)
    close(files.1.descriptor)
  }

  /// Writes down what has changed.
  func record(_ state: AppState) {
    let change = recorder.record(
      state, of: graph,
      SessionIdentity(
        app: graph.name, manifest: "test.yaml",
        plugins: [.init(name: "Mock", version: version, digest: "")],
        nodes: graph.nodes.map { .init(name: $0.name, feature: $0.feature) }),
      features: table, calls: CallRecorder())
    writer.write(change)
  }

  /// What is written down.
  func image() throws -> SessionImage {
    try #require(
      [files.0, files.1].compactMap { try? ImageReader.read($0.contents()) }
        .max { $0.number < $1.number }
    ).image
  }
}

extension SessionImage {
  /// The image of an app as it is, written at once.
  @MainActor
  static func whole(_ state: AppState, of graph: Graph) throws -> SessionImage {
    let saved = try SavedApp(graph)
    saved.record(state)
    return try saved.image()
  }

  /// The image without when its instances were presented, which depends on when it was written.
  var withoutOrder: [InstanceID: SavedInstance] {
    moment.instances.mapValues {
      SavedInstance(
        id: $0.id, node: $0.node, arguments: $0.arguments, presenter: $0.presenter,
        place: $0.place, selectedTab: $0.selectedTab, order: 0, state: $0.state)
    }
  }
}

/// An app that continues with an image.
@MainActor
struct RestoredApp {
  let plan: SessionPlan
  let store: Store<AppState, AppAction>
  let restoration: Replacement
  let features: [LoadedFeature?]

  /// - Returns: `nil` where not even `start` can be made.
  init?(_ image: SessionImage, in graph: Graph, version: String = "1.0.0") throws {
    features = try TestApp.features(of: graph)
    let table = FeatureTable(features)
    var live = StateRestorer(
      identity: image.identity, versions: ["Mock": version], features: table, calls: CallRecorder())
    do {
      plan = try SessionPlan.make(of: image, in: graph, &live)
    } catch {
      return nil
    }
    store = Store(
      initialState: AppState(), reducer: Router(graph: graph, features: table),
      isolation: MainActor.shared)
    restoration = Replacement(plan.layout(live))
    store.send(.restore(restoration))
  }

  /// The instance that a saved one is now.
  func instance(_ id: InstanceID) -> Instance? {
    zip(plan.ids, restoration.ids).first { $0.0 == id }.flatMap { store.state.instances[$0.1] }
  }

  /// The state of an instance in structural form.
  func state(_ instance: Instance) throws -> Value? {
    guard let state = instance.state else { return nil }
    return try features[instance.node]?.encode(state)
  }
}
