import AppCore
import Testing

@Suite("CasePath: values in cases")
struct CaseValueTests {
  struct Detail: Equatable, Sendable { var title: String, rows: [Int] = [] }
  enum Screen: Equatable, Sendable { case detail(Detail), about(Bool), loading, done }
  enum App: Equatable, Sendable { case screen(Screen), off }

  @Test("A case is recognised, changed and left alone")
  func values() {
    let detail = /Screen.detail
    #expect(detail.is(.detail(Detail(title: "a"))) && !detail.is(.loading))
    var screen = Screen.detail(Detail(title: "a"))
    #expect(
      detail.modify(&screen) {
        $0.title = "b"; return 3
      } == 3)
    #expect(screen == .detail(Detail(title: "b")))
    #expect((/Screen.about).modify(&screen) { $0 = true } == nil)
    #expect(screen == .detail(Detail(title: "b")))
  }

  @Test("Paths are joined, made by name, and lead to cases that hold nothing")
  func paths() {
    let nested = CasePath(App.screen).appending(CasePath(Screen.about))
    #expect(nested.extract(.screen(.about(true))) == true)
    #expect(nested.extract(.screen(.loading)) == nil)
    #expect(nested.embed(false) == .screen(.about(false)))
    let loading = CasePath(case: Screen.loading)
    #expect(loading.is(.loading) && !loading.is(.done) && !loading.is(.about(true)))
    #expect(loading.embed(()) == .loading)
    #expect(CasePath(App.screen).appending(loading).is(.screen(.loading)))
  }

  @Test("The payload of an optional's case is changed in place, and removed")
  func optionals() {
    let (detail, about) = (CasePath(Screen.detail), CasePath(Screen.about))
    let reports = reported {
      var screen: Screen? = .detail(Detail(title: "a", rows: Array(0..<100)))
      screen[detail]?.rows.reserveCapacity(1000)
      func address() -> UnsafeRawPointer? {
        guard case .detail(let detail)? = screen else { return nil }
        return detail.rows.withUnsafeBytes { $0.baseAddress }
      }
      let before = address()
      screen[detail]?.rows.append(1)
      screen[detail]?.title = "b"
      #expect(address() == before)
      #expect(screen[detail]?.rows.count == 101)
      #expect(screen[about] == nil)
      screen[about]? = true
      screen[about] = true
      #expect(screen[detail]?.title == "b")
      screen[detail] = nil
      #expect(screen == nil)
    }
    #expect(reports == ["a value was set in a case that an enum is not in"])
  }
}
