import AppCore
import AppCoreTesting
import Testing

@testable import BasicsStudies

@MainActor
@Suite("The studies of basics")
struct BasicsTests {
  @Test("A counter counts up and down")
  func counter() async throws {
    let store = try TestStore(arguments: NoArguments()) { Counter() }
    await store.send(.incrementTapped) { $0.count = 1 }
    await store.send(.decrementTapped) { $0.count = 0 }
    await store.send(.decrementTapped) { $0.count = -1 }
  }

  @Test("Two counters count independently")
  func twoCounters() async throws {
    let store = try TestStore(arguments: NoArguments()) { TwoCounters() }
    await store.send(/TwoCounters.Action.first, .view(.incrementTapped)) { $0.first.count = 1 }
    await store.send(/TwoCounters.Action.second, .view(.decrementTapped)) { $0.second.count = -1 }
  }

  @Test("A counter that comes back begins at zero")
  func optionalCounter() async throws {
    let store = try TestStore(arguments: NoArguments()) { OptionalCounter() }
    await store.send(.toggleTapped) { $0.counter = Counter.State() }
    await store.send(/OptionalCounter.Action.counter, .view(.incrementTapped)) {
      $0.counter?.count = 1
    }
    await store.send(.toggleTapped) { $0.counter = nil }
    await store.send(.toggleTapped) { $0.counter = Counter.State() }
  }

  @Test("An alert's button counts, and an alert says so")
  func alert() async throws {
    let store = try TestStore(arguments: NoArguments()) { Dialogs() }
    await store.send(.alertTapped) {
      $0.alert = AlertState {
        "An alert"
      } actions: {
        ButtonState.cancel()
        ButtonState("Increment", action: .incremented)
      } message: {
        "It informs, and may have a button or two."
      }
    }
    await store.send(/Dialogs.Action.alert, .presented(.incremented)) {
      $0.alert = AlertState { "Incremented" }
      $0.count = 1
    }
    await store.send(/Dialogs.Action.alert, .dismiss) { $0.alert = nil }
  }

  @Test("A confirmation dialog counts down, or is left")
  func dialog() async throws {
    let store = try TestStore(arguments: NoArguments()) { Dialogs() }
    let dialog = ConfirmationDialogState<Dialogs.Dialog> {
      "A confirmation dialog"
    } actions: {
      ButtonState("Increment", action: .incremented)
      ButtonState("Decrement", role: .destructive, action: .decremented)
    } message: {
      "It offers a choice, and can always be left."
    }
    await store.send(.dialogTapped) { $0.dialog = dialog }
    await store.send(/Dialogs.Action.dialog, .dismiss) { $0.dialog = nil }
    await store.send(.dialogTapped) { $0.dialog = dialog }
    await store.send(/Dialogs.Action.dialog, .presented(.decremented)) {
      $0.alert = AlertState { "Decremented" }
      $0.dialog = nil
      $0.count = -1
    }
  }

  @Test("Each control changes its value, and the step never exceeds the number of steps")
  func controls() async throws {
    let store = try TestStore(arguments: NoArguments()) { Controls() }
    await store.send(.textChanged("Ada")) { $0.text = "Ada" }
    await store.send(.notesChanged("a\nb")) { $0.notes = "a\nb" }
    await store.send(.passwordChanged(Secret("hunter2"))) { $0.password = Secret("hunter2") }
    await store.send(.sizeChosen("l")) { $0.size = "l" }
    await store.send(.stepChanged(8)) { $0.step = 8 }
    await store.send(.stepsChanged(3)) {
      $0.steps = 3
      $0.step = 3
    }
    await store.send(.stepChanged(4))
    await store.send(.lockChanged(true)) { $0.isLocked = true }
  }

  @Test("One action changes every field of a form, and the reducer corrects what depends on one")
  func form() async throws {
    let store = try TestStore(arguments: NoArguments()) { Form() }
    await store.send(.binding(.set(\.name, "Ada"))) { $0.name = "Ada" }
    await store.send(.binding(.set(\.size, .large))) { $0.size = .large }
    await store.send(.binding(.set(\.step, 8))) { $0.step = 8 }
    await store.send(.binding(.set(\.steps, 3))) {
      $0.steps = 3
      $0.step = 3
    }
    await store.send(.binding(.set(\.step, 4)))
    await store.send(.binding(.set(\.isLocked, true))) { $0.isLocked = true }
    await store.send(.resetTapped) { $0 = Form.State() }
  }

  @Test("Signing in leads to the first field that is empty")
  func signIn() async throws {
    let store = try TestStore(arguments: NoArguments()) { SignIn() }
    await store.send(.signInTapped) { $0.missing = .name }
    await store.send(.nameChanged("Ada")) {
      $0.name = "Ada"
      $0.missing = nil
    }
    await store.send(.signInTapped) { $0.missing = .password }
    await store.send(.passwordChanged(Secret("hunter2"))) {
      $0.password = Secret("hunter2")
      $0.missing = nil
    }
    await store.send(.signInTapped) { $0.isSignedIn = true }
    await store.send(.nameChanged("")) { $0.name = "" }
    await store.send(.signInTapped) {
      $0.missing = .name
      $0.isSignedIn = false
    }
  }

  @Test("A row that is chosen is remembered")
  func elements() async throws {
    let store = try TestStore(arguments: NoArguments()) { Elements() }
    await store.send(.discTapped("home")) { $0.chosen = "home" }
  }
}
