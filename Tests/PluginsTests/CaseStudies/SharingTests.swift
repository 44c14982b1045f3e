import AppCore
import AppCoreTesting
import Testing

@testable import SharingStudies

@MainActor
@Suite("The studies of sharing")
struct SharingTests {
  @Test("One screen counts, and the other shows and resets the same value")
  func inMemory() async throws {
    try await withDependencies {
      $0.sharedStorage = SharedStorage()
    } operation: {
      let counter = try TestStore(arguments: NoArguments()) { InMemoryCounter() }
      await counter.send(.decrementTapped) { $0.$totals.withLock { $0.change(by: -1) } }
      for _ in 1...3 {
        await counter.send(.incrementTapped) { $0.$totals.withLock { $0.change(by: 1) } }
      }
      let totals = try TestStore(arguments: NoArguments()) { InMemoryTotals() }
      #expect(totals.state.totals.lowest == -1)
      #expect(totals.state.totals.highest == 2)
      #expect(totals.state.totals.changes == 4)
      await counter.send(.primeTapped) { $0.alert = AlertState { "2 is a prime number." } }
      await counter.send(/InMemoryCounter.Action.alert, .dismiss) { $0.alert = nil }
      for text in ["3 is a prime number.", "4 is not a prime number."] {
        await counter.send(.incrementTapped) { $0.$totals.withLock { $0.change(by: 1) } }
        await counter.send(.primeTapped) { $0.alert = AlertState { text } }
        await counter.send(/InMemoryCounter.Action.alert, .dismiss) { $0.alert = nil }
      }
      totals.assert { $0.$totals.withLock { for _ in 1...2 { $0.change(by: 1) } } }
      await totals.send(.resetTapped) { $0.$totals.withLock { $0 = Totals() } }
      counter.assert { $0.$totals.withLock { $0 = Totals() } }
      await counter.send(.primeTapped) { $0.alert = AlertState { "0 is not a prime number." } }
      await counter.send(/InMemoryCounter.Action.alert, .dismiss) { $0.alert = nil }
    }
  }

  @Test("A value is in its file once it is saved, and is read from there")
  func fileStorage() async throws {
    let files = FileSystem.inMemory([:])
    let store = try TestStore(arguments: NoArguments()) {
      FileStorage(file: "/data/totals.json")
    } withDependencies: {
      $0.fileSystem = files
    }
    await store.send(.incrementTapped) { $0.$totals.withLock { $0.change(by: 1) } }
    await store.send(.decrementTapped) { $0.$totals.withLock { $0.change(by: -1) } }
    await store.send(.resetTapped) { $0.$totals.withLock { $0 = Totals() } }
    await store.send(.incrementTapped) { $0.$totals.withLock { $0.change(by: 1) } }
    await store.send(.saveTapped)
    await store.receive(.internal(.saved)) { $0.result = "Saved." }
    #expect(try await files.readText("/data/totals.json").contains(#""count": 1"#))

    let other = try TestStore(arguments: NoArguments()) {
      FileStorage(file: "/data/totals.json")
    } withDependencies: {
      $0.fileSystem = files
    }
    #expect(other.state.totals == store.state.totals)
  }

  @Test("A file that can't be written is said to be so")
  func failure() async throws {
    let store = try TestStore(arguments: NoArguments()) {
      FileStorage(file: "/data/totals.json")
    } withDependencies: {
      $0.fileSystem = .inMemory(["/data": "this is a file"])
    }
    // Whoever runs the app is told, too.
    await withKnownIssue {
      await store.send(.incrementTapped) { $0.$totals.withLock { $0.change(by: 1) } }
    } matching: {
      $0.description.contains("can't create the directory '/data'")
    }
    await store.send(.saveTapped)
    await store.receive(/FileStorage.Action.Internal.failed) {
      $0.result = "Not saved: can't create the directory '/data': File exists."
    }
  }

  @Test("Each setting has a key, and a size is never less than one")
  func settings() async throws {
    let store = try TestStore(arguments: NoArguments()) { Settings() }
    await store.send(.largerTapped) { $0.$size.withLock { $0 = 13 } }
    await store.send(.largeChanged(true)) { $0.$isLarge.withLock { $0 = true } }
    #expect(store.state.points == 26)
    for size in (1...12).reversed() {
      await store.send(.smallerTapped) { $0.$size.withLock { $0 = size } }
    }
    await store.send(.smallerTapped)
    await store.send(.resetTapped) {
      $0.$size.withLock { $0 = 12 }
      $0.$isLarge.withLock { $0 = false }
    }
  }

  @Test("Who only reads a value gets each that the thermometer measures")
  func readers() async throws {
    let (readings, continuation) = EventStream<Int>.makeStream()
    let store = try TestStore(arguments: NoArguments()) {
      Readers()
    } withDependencies: {
      $0[Thermometer.self] = Thermometer { readings }
    }
    let following = await store.didStart()
    await store.receive(/Readers.Action.display, .internal(.changed(20))) {
      $0.display.highest = 20
    }
    for (reading, highest) in [(22, 22), (19, 22)] {
      continuation.yield(reading)
      await store.receive(/Readers.Action.display, .internal(.changed(reading))) {
        $0.$temperature.withLock { $0 = reading }
        $0.display.highest = highest
      }
    }
    #expect(store.state.display.temperature == 19)
    await following.cancel()
  }

  @Test("Each step fills in a part of one form, and the summary submits all of it")
  func signUp() async throws {
    try await withDependencies {
      $0.sharedStorage = SharedStorage()
    } operation: {
      let account = try TestStore(arguments: SignUpAccount.Arguments()) { SignUpAccount() }
      await account.send(.emailChanged("ada@example.org")) {
        $0.$form.withLock { $0.email = "ada@example.org" }
      }
      await account.send(.passwordChanged(Secret("hunter2"))) {
        $0.$form.withLock { $0.password = Secret("hunter2") }
      }
      await account.send(.doneTapped)
      await account.receive(.delegate(.done))

      let topics = try TestStore(arguments: SignUpTopics.Arguments()) { SignUpTopics() }
      await topics.send(.doneTapped) { $0.alert = AlertState { "Choose a topic" } }
      await topics.send(/SignUpTopics.Action.alert, .dismiss) { $0.alert = nil }
      await topics.send(.topicChanged(.film, isOn: true)) {
        $0.$form.withLock { $0.topics = [.film] }
      }
      await topics.send(.topicChanged(.music, isOn: true)) {
        $0.$form.withLock { $0.topics = [.film, .music] }
      }
      await topics.send(.topicChanged(.film, isOn: false)) {
        $0.$form.withLock { $0.topics = [.music] }
      }
      await topics.send(.doneTapped)
      await topics.receive(.delegate(.done))

      let summary = try TestStore(arguments: NoArguments()) { SignUpSummary() }
      #expect(summary.state.form.email == "ada@example.org")
      #expect(summary.state.form.topics == [.music])
      await summary.send(.accountTapped)
      await summary.receive(.delegate(.accountRequested))
      await summary.send(.topicsTapped)
      await summary.receive(.delegate(.topicsRequested))
      await summary.send(.submitTapped) { $0.$form.withLock { $0 = SignUpForm() } }
      await summary.receive(.delegate(.submitted))
      account.assert { $0.$form.withLock { $0 = SignUpForm() } }
      topics.assert { $0.$form.withLock { $0 = SignUpForm() } }
    }
  }

  @Test("A step that was opened from the summary goes back there")
  func editing() async throws {
    let account = try TestStore(arguments: SignUpAccount.Arguments(isEditing: true)) {
      SignUpAccount()
    }
    await account.send(.doneTapped)
    await account.receive(.delegate(.edited))
    let topics = try TestStore(arguments: SignUpTopics.Arguments(isEditing: true)) {
      SignUpTopics()
    }
    await topics.send(.topicChanged(.sport, isOn: true)) {
      $0.$form.withLock { $0.topics = [.sport] }
    }
    await topics.send(.doneTapped)
    await topics.receive(.delegate(.edited))
  }
}
