import AppCore
import Testing

@Suite("Secret")
struct SecretTests {
  @Test("It does not show in any text made of it, nor through a mirror")
  func hidden() {
    struct Login { var password = Secret("hunter2") }
    let secret = Secret("hunter2")
    var dumped = ""
    dump(Login(), to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), "\(Login())", "\([secret])", dumped] {
      #expect(!text.contains("hunter2"))
      #expect(text.contains("<secret>"))
    }
    #expect(secret.revealed == "hunter2")
  }
}
