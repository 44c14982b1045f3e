import AppCore
import AppCoreTesting
import TestSupport
import Testing

/// Random states with shared values of every origin, changed at random: what a test does not assert
/// fails, and what it asserts does not.
@MainActor
@Suite("Random shared values in TestStore", .timeLimit(.minutes(30)))
struct SharedPropertyTests {
  /// Where a state, or a value that is sent to it, is made.
  enum Place: Int, CaseIterable {
    case insideStore, beforeStore, inStorageOfTest

    /// The origins of values that may be made there.
    fileprivate var origins: [Origin] {
      self == .beforeStore ? Origin.allCases.filter { !$0.isInFile } : Origin.allCases
    }
  }

  /// Where a shared value comes from.
  fileprivate enum Origin: CaseIterable {
    case unnamed, memory, property, element, optional, file, setting

    var isInFile: Bool { self == .file || self == .setting }

    /// A slot with a value of this origin, which starts as `key`.
    func slot(_ key: Int) -> Slot {
      switch self {
      case .unnamed: return Slot(number: Shared(value: key))
      case .memory: return Slot(number: Shared(wrappedValue: key, .inMemory("number \(key)")))
      case .file: return Slot(number: Shared(wrappedValue: key, .file("/\(key).json")))
      case .setting: return Slot(number: Shared(wrappedValue: key, .setting("number \(key)")))
      case .property:
        return Slot(number: Shared(wrappedValue: Whole(), .inMemory("whole \(key)")).size)
      case .element:
        let rows = Shared(value: IdentifiedArray([Whole(id: key)]))
        return Slot(number: rows[id: key]?.size ?? Shared(value: key))
      case .optional:
        return Slot(number: Shared(Shared(value: Int?.some(key))) ?? Shared(value: key))
      }
    }
  }

  fileprivate struct Whole: Codable, Equatable, Identifiable, Sendable {
    var id = 0
    var size = 0
  }

  fileprivate struct Slot: Equatable { @Shared var number: Int }

  fileprivate struct Change: Equatable {
    let slot: Int
    let amount: Int
  }

  private struct Feature: Reducer {
    struct State: Equatable {
      var slots: [Slot]
      var steps = 0

      func apply(_ changes: [Change]) {
        for change in changes { slots[change.slot].$number.withLock { $0 += change.amount } }
      }
    }
    enum Action: ComponentAction {
      case change([Change]), changeLater([Change]), changeInEffect([Change])
      case added(Slot), make(Origin, key: Int)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.steps += 1
      switch action {
      case .change(let changes): state.apply(changes)
      case .changeLater(let changes): return .run { send in await send(.change(changes)) }
      case .changeInEffect(let changes):
        return .run { [slots = state.slots] _ in State(slots: slots).apply(changes) }
      case .added(let slot): state.slots.append(slot)
      case .make(let origin, let key): state.slots.append(origin.slot(key))
      }
      return .none
    }
  }

  /// The random choices of one test's store.
  private struct Choices {
    var numbers: SeededRandomNumberGenerator
    let place: Place
    var key: Int

    init(seed: Int, place: Place) {
      numbers = SeededRandomNumberGenerator(seed: UInt64(seed))
      self.place = place
      // No two stores have values of the same key.
      key = (seed * Place.allCases.count + place.rawValue) * 1_000
    }

    mutating func origin(_ origins: [Origin]) -> Origin {
      key += 1
      return origins.randomElement(using: &numbers) ?? .unnamed
    }

    mutating func slots() -> [Slot] {
      (0..<Int.random(in: 1...4, using: &numbers)).map { _ in origin(place.origins).slot(key) }
    }

    /// Some changes, each of which changes a value.
    mutating func changes(_ slots: Int) -> [Change] {
      (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
        Change(
          slot: Int.random(in: 0..<slots, using: &numbers),
          amount: Int.random(in: 1...9, using: &numbers))
      }
    }
  }

  private func store(_ choices: inout Choices) -> TestStoreOf<Feature> {
    guard choices.place == .insideStore else {
      let state = Feature.State(slots: choices.slots())
      return TestStore(initialState: state) { Feature() }
    }
    var inner = choices
    defer { choices = inner }
    return TestStore(initialState: Feature.State(slots: inner.slots())) { Feature() }
  }

  /// Changes values, of which the last change is asserted or not.
  ///
  /// - Returns: what is wrong with the failures.
  private func step(_ store: TestStoreOf<Feature>, _ choices: inout Choices) async -> String? {
    let isAsserted = Bool.random(using: &choices.numbers)
    var changes = choices.changes(store.state.slots.count)
    let kind = ["sent", "received", "in effect", "added", "made"].randomElement(
      using: &choices.numbers)
    // What the test makes itself is not in the store's storage, unless that is the test's.
    let origins = choices.place == .inStorageOfTest ? Origin.allCases : Place.beforeStore.origins
    let origin = choices.origin(kind == "made" ? Origin.allCases : origins)
    let (slot, key) = (kind == "added" ? origin.slot(choices.key) : nil, choices.key)
    if kind == "added" || kind == "made" {
      changes = [Change(slot: store.state.slots.count, amount: 1)]
    }
    let expected = isAsserted ? changes : changes.dropLast()
    let found = await failures {
      switch kind {
      case "received":
        await store.send(.changeLater(changes)) { $0.steps += 1 }
        await store.receive(/Feature.Action.change) {
          $0.steps += 1
          $0.apply(expected)
        }
        return
      case "in effect":
        await store.send(.changeInEffect(changes)) { $0.steps += 1 }.finish()
        store.assert { $0.apply(expected) }
        return
      case "added":
        guard let slot else { return }
        await store.send(.added(slot)) {
          $0.steps += 1
          $0.slots.append(slot)
        }
      case "made":
        await store.send(.make(origin, key: key)) {
          $0.steps += 1
          $0.slots.append(origin.slot(key))
        }
      default: break
      }
      await store.send(.change(changes)) {
        $0.steps += 1
        $0.apply(expected)
      }
    }
    guard found.count != (isAsserted ? 0 : 1) else { return nil }
    return "\(kind ?? "") \(origin) \(changes), asserted: \(expected): \(found)"
  }

  @Test(
    "A change that is not asserted fails, and one that is asserted does not",
    arguments: Place.allCases)
  func changes(place: Place) async {
    for seed in 0..<(runsAllTests ? 1_000 : 40) {
      await withDependencies {
        if place == .inStorageOfTest { $0.sharedStorage = SharedStorage() }
      } operation: {
        var choices = Choices(seed: seed, place: place)
        let store = store(&choices)
        for number in 0..<8 {
          if let wrong = await step(store, &choices) {
            Issue.record("seed \(seed), step \(number): \(wrong)")
          }
        }
      }
    }
  }
}
