import AppCore
import Testing

@Suite("Fields of a Value")
struct ValueFieldTests {
  @Test("A field is set, replaced and removed by its name")
  func fields() {
    var value: Value = ["name": "Ada", "age": 36]
    value["name"] = "Grace"
    value["age"] = nil
    value["tags"] = ["a"]
    value["more"]?["deep"] = 1
    #expect(value == ["name": "Grace", "tags": ["a"]])
    value["more"] = .null
    value["more"]?["deep"] = 1
    #expect(value["more"] == ["deep": 1])
  }

  @Test("Null becomes an object; what has no fields stays as it is, and that is reported")
  func others() async {
    var value = Value.null
    value["a"] = nil
    #expect(value == .null)
    value["a"] = 1
    #expect(value == ["a": 1])
    let reports = Reports()
    var list: Value = [1]
    await reports.collect { list["a"] = 1 }
    #expect(list == [1])
    #expect(reports.all.count == 1)
    #expect(reports.all.first?.hasPrefix("the field 'a' was set in a list") == true)
  }
}
