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
  func others() {
    var value = Value.null
    value["a"] = nil
    #expect(value == .null)
    value["a"] = 1
    #expect(value == ["a": 1])
    var list: Value = [1]
    let reports = reported { list["a"] = 1 }
    #expect(list == [1])
    #expect(reports.begin(with: "the field 'a' was set in a list"))
  }
}
