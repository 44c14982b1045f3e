import AppCore
import AppCoreTesting
import Foundation
import TestSupport
import Testing

@testable import Dialogs
@testable import Packages

@MainActor
@Suite("The features of Packages and Dialogs")
struct FeatureTests {
  private let demo = packageFolder.appending(path: "Tests/Fixtures/dpkg/demo-status").path

  @Test("The list reads the database, filters it and tells which package is selected")
  func list() async throws {
    let library = PackageLibrary(path: demo)
    let store = try TestStore(arguments: NoArguments()) { List(library: library) }
    #expect(store.state.loading == .reading(fraction: 0))
    store.exhaustivity = .off
    await store.didStart()
    // How many stages are told on the way depends on the machine.
    await store.receive(.internal(.loadingChanged(.ready)), timeout: .seconds(300)) {
      $0.loading = .ready
    }
    await store.finish()
    store.exhaustivity = .on
    await store.send(.filterChanged("libg")) { $0.filter = "libg" }
    await store.send(.sortChanged(TableSort("Version", isDescending: true))) {
      $0.sort = TableSort("Version", isDescending: true)
    }
    await store.send(.packageTapped(name: "libgcc-s1"))
    await store.receive(.delegate(.packageSelected(name: "libgcc-s1")))
  }

  @Test("A database that can't be read is said to be so, and is read again when asked to")
  func failure() async throws {
    let library = PackageLibrary(path: "/nowhere/status")
    let store = try TestStore(arguments: NoArguments()) { List(library: library) }
    await store.didStart()
    await store.receive(/List.Action.Internal.loadingChanged, timeout: .seconds(300)) {
      $0.loading = .failed(reason: try #require(library.failure.map { "\($0)" }))
    }
    await store.send(.retryTapped) { $0.loading = .reading(fraction: 0) }
    await store.receive(/List.Action.Internal.loadingChanged, timeout: .seconds(300)) {
      $0.loading = .failed(reason: try #require(library.failure.map { "\($0)" }))
    }
    await store.finish()
  }

  @Test("The detail asks before it shows an address, and follows dependencies")
  func detail() async throws {
    let library = PackageLibrary(path: demo)
    await library.load { _ in }
    let store = try TestStore(arguments: Detail.Arguments(name: "libc6")) {
      Detail(library: library)
    }
    #expect(store.state == Detail.State(name: "libc6", loading: .ready))
    await store.didStart()
    await store.send(.dependencyTapped(name: "libgcc-s1"))
    await store.receive(.delegate(.dependencySelected(name: "libgcc-s1")))
    await store.send(.homepageTapped(url: "https://example.org"))
    await store.receive(.delegate(.openRequested(url: "https://example.org")))
    await store.sendInput(.openConfirmed) { $0.showsAddress = true }
    await store.sendInput(.openDeclined) { $0.showsAddress = false }
  }

  @Test("A question is answered with yes or no, and keeps its words")
  func confirm() async throws {
    let store = try TestStore(arguments: Confirm.Arguments(question: "Log out?")) { Confirm() }
    #expect(store.state == Confirm.State(question: "Log out?", yes: "Yes", no: "No"))
    await store.send(.yesTapped)
    await store.receive(.delegate(.confirmed))
    await store.send(.noTapped)
    await store.receive(.delegate(.declined))
  }
}
