import AppCore
import Navigation
internal import TestSupport
import Testing

@testable import Sessions

/// Changes of an app that nobody has written.
struct RandomSession {
  var random: SplitMix64
  private(set) var image: SessionImage

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    image = SessionImage(
      identity: SessionIdentity(
        app: "random", manifest: "/apps/random.yaml",
        plugins: [.init(name: "Mock", version: "1.0.0", digest: "0123456789abcdef")],
        nodes: [.init(name: "home", feature: nil), .init(name: "list", feature: "Mock.List")]))
  }

  /// The change that begins an app.
  var beginning: ImageChange { ImageChange(identity: image.identity) }

  /// Changes the app, and says how.
  mutating func change() -> ImageChange {
    var change = ImageChange()
    let known = image.moment.instances.keys.sorted()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let isNew = known.isEmpty || Bool.random(using: &random)
      let id =
        isNew
        ? InstanceID(number: UInt64.random(in: 0..<1 << 40, using: &random))
        : known.randomElement(using: &random) ?? 0
      change.state.instances.append(.whole(instance(id)))
    }
    if known.count > 5, let id = known.randomElement(using: &random),
      !change.state.ids.contains(id)
    {
      change.state.removed = [id]
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      var conversation = SavedConversation()
      conversation.line = text()
      conversation.cursor = conversation.line.count
      conversation.sentLine = Bool.random(using: &random) ? text() : nil
      conversation.isLinePrivate = Bool.random(using: &random)
      conversation.file = Bool.random(using: &random) ? text() : nil
      conversation.script = Bool.random(using: &random) ? .init(begun: 7, done: 6, screen: 9) : nil
      if Bool.random(using: &random) {
        conversation.script?.text = .init(opening: text(), end: "END")
      }
      if Bool.random(using: &random) {
        conversation.clientText = .init(client: 3, text: .init(opening: text(), end: "END"))
      }
      conversation.pages = [.init(instance: 7, list: nil, ordinal: 2, offset: 40)]
      change.conversation = conversation
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      change.state.waitingLink = .some(Bool.random(using: &random) ? text() : nil)
    }
    let isApplied = image.apply(change)
    #expect(isApplied)
    return change
  }

  private mutating func instance(_ id: InstanceID) -> SavedInstance {
    let places: [SavedInstance.Place] = [
      .above(InstanceID(number: id.number &+ 1)), .tab(of: 3, node: text()), .layer(over: nil),
      .layer(over: 9),
      .background(of: nil), .background(of: id),
    ]
    let states: [SavedInstance.State] = [
      .container, .value(value(4)), .notEncodable(reason: text()),
      .suspended(value(2), reason: text(), isWholePlugin: Bool.random(using: &random)),
    ]
    return SavedInstance(
      id: id, node: text(), arguments: value(2),
      presenter: Bool.random(using: &random) ? InstanceID(number: id.number &+ 2) : nil,
      place: places.randomElement(using: &random) ?? .layer(over: nil),
      selectedTab: Bool.random(using: &random) ? text() : nil,
      order: UInt64.random(in: 0...UInt64(Int.max), using: &random),
      state: states.randomElement(using: &random) ?? .container,
      redaction: Bool.random(using: &random)
        ? .init(arguments: value(1), state: Bool.random(using: &random) ? value(2) : nil) : nil)
  }

  private mutating func text() -> String {
    ["", "milk", "日本語 🎶", "a\nb", String(repeating: "x", count: 300)]
      .randomElement(using: &random) ?? ""
  }

  mutating func value(_ depth: Int) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .int([0, -1, 1, .max, .min, 4711].randomElement(using: &random) ?? 0)
    case 3: .double([0, -0.5, .infinity, 1e300, .pi].randomElement(using: &random) ?? 0)
    case 4: .string(text())
    case 5: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth - 1) })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0...3, using: &random)).map { ("field\($0)", value(depth - 1)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }
}
