import AppCore
import Testing

@Suite("StackState: any element")
struct StackElementsTests {
  struct Detail: Equatable { var title: String }
  enum Page: Equatable { case detail(Detail), about }

  private func expectSound(
    _ path: StackState<String>, _ elements: [String], _ ids: [StackElementID],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(Array(path) == elements, sourceLocation: sourceLocation)
    #expect(path.ids == ids, sourceLocation: sourceLocation)
    for (id, element) in zip(ids, elements) {
      #expect(path[id: id] == element, sourceLocation: sourceLocation)
    }
  }

  @Test("Elements are changed, removed, put beneath and replaced under their identifiers")
  func changes() {
    var path: StackState = ["a", "b", "c", "d"]
    path[id: 1]?.append("!")
    expectSound(path, ["a", "b!", "c", "d"], [0, 1, 2, 3])
    path[id: 1] = nil
    expectSound(path, ["a", "c", "d"], [0, 2, 3])
    #expect(path.remove(id: 0) == "a")
    #expect(path.remove(id: 0) == nil)
    expectSound(path, ["c", "d"], [2, 3])
    #expect(path.insert("x", at: 0) == 4)
    expectSound(path, ["x", "c", "d"], [4, 2, 3])
    path.append(contentsOf: ["y", "z"])
    path.removeLast(1)
    expectSound(path, ["x", "c", "d", "y"], [4, 2, 3, 5])
    path.replaceSubrange(1..<3, with: ["n", "m", "o"])
    expectSound(path, ["x", "n", "m", "o", "y"], [4, 7, 8, 9, 5])
    path.pop(to: 7)
    expectSound(path, ["x", "n"], [4, 7])
  }

  @Test("An element is changed where it is")
  func inPlace() {
    var path: StackState<[Int]> = [Array(0..<100), Array(0..<100)]
    path[id: 0]?.reserveCapacity(1000)
    let before = path[0].withUnsafeBytes { $0.baseAddress }
    path[id: 0]?.append(1)
    #expect(path[0].withUnsafeBytes { $0.baseAddress } == before)
    #expect(path[0].count == 101 && path[1].count == 100)
  }

  @Test("A value in an element's case is changed; one in another case, or gone, is reported")
  func cases() {
    let detail = CasePath(Page.detail)
    let reports = reported {
      var path: StackState<Page> = [.detail(Detail(title: "a")), .about]
      path[id: 0, case: detail]?.title = "b"
      #expect(path[id: 0, case: detail]?.title == "b")
      #expect(path[id: 1, case: detail] == nil)
      path[id: 1, case: detail] = Detail(title: "c")
      #expect(path[1] == .about)
      path[id: 9] = .about
      #expect(path.count == 2)
      path[id: 0, case: detail] = nil
      #expect(Array(path) == [.about] && path.ids == [1])
    }
    #expect(
      reports.begin(with: "an element was set under #1", "an element was set under #9"))
  }
}
