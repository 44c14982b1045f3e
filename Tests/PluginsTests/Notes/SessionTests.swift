import AppCore
import AppCoreTesting
import Testing

@testable import Session

@MainActor
@Suite("The features of Session")
struct SessionTests {
  @Test("A name is enough where there is no password; the blanks around it are left out")
  func name() async throws {
    let store = try TestStore(arguments: NoArguments()) { Login(password: nil) }
    await store.send(.logInTapped) { $0.nameProblem = "type your name first" }
    await store.send(.nameChanged("  Ada Lovelace ")) {
      $0.name = "  Ada Lovelace "
      $0.nameProblem = nil
    }
    await store.send(.logInTapped)
    await store.receive(.delegate(.loggedIn(user: "Ada Lovelace")))
  }

  @Test("A name that is none is refused with what to do")
  func badNames() async throws {
    let store = try TestStore(arguments: NoArguments()) { Login(password: nil) }
    for (name, problem) in [
      ("   ", "type your name first"),
      (String(repeating: "a", count: 65), "a name has at most 64 characters"),
      ("a\u{7}b", "a name has no control characters in it"),
      ("a\u{2028}b", "a name has no control characters in it"),
    ] {
      await store.send(.nameChanged(name)) {
        $0.name = name
        $0.nameProblem = nil
      }
      await store.send(.logInTapped) { $0.nameProblem = problem }
    }
  }

  @Test("A password is compared, and kept neither when it is right nor when it is wrong")
  func password() async throws {
    let store = try TestStore(arguments: NoArguments()) { Login(password: Secret("sesame")) }
    await store.send(.nameChanged("ada")) { $0.name = "ada" }
    await store.send(.logInTapped) { $0.passwordProblem = "type the password first" }
    await store.send(.passwordChanged(Secret("guess"))) {
      $0.password = Secret("guess")
      $0.passwordProblem = nil
    }
    await store.send(.logInTapped) {
      $0.password = nil
      $0.passwordProblem = "that is not the password; type it again"
    }
    await store.send(.passwordChanged(Secret("sesame"))) {
      $0.password = Secret("sesame")
      $0.passwordProblem = nil
    }
    await store.send(.logInTapped) { $0.password = nil }
    await store.receive(.delegate(.loggedIn(user: "ada")))
  }

  @Test("An empty password in the configuration is none")
  func emptyPassword() {
    #expect(SessionPlugin(configuration: .init(password: Secret(""))).password == nil)
    #expect(SessionPlugin(configuration: .init()).password == nil)
    #expect(SessionPlugin(configuration: .init(password: Secret("x"))).password == Secret("x"))
  }
}
