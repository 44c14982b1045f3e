import AppCore
import AppCoreTesting
import Testing

@testable import SharingStudies

@MainActor
@Suite("The studies of sharing")
struct SharingTests {
  @Test("A file that can't be written is said to be so")
  func failure() async throws {
    let store = try studyStore(of: FileStorage(file: "/data/totals.json")) {
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

  @Test("Who only reads a value gets each that the thermometer measures")
  func readers() async throws {
    let (readings, continuation) = EventStream<Int>.makeStream()
    let store = try studyStore(of: Readers()) {
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
}
