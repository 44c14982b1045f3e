@_spi(Host) import AppCore
import Testing

@Suite("LoadedPlugin")
struct LoadedPluginTests {
  private func field(_ name: String, _ schema: Schema, _ value: Value? = nil) -> Schema.Field {
    Schema.Field(name: name, schema: schema, defaultValue: value)
  }

  @Test("An exported plugin comes back as its name, its version and its features")
  func export() throws {
    let plugin = LoadedPlugin(exported: AppCore.export(CounterPlugin.self))
    #expect(plugin.name == "Counter")
    #expect(plugin.version == "1.2.3")
    #expect(plugin.configuration == .object([field("step", .int, 1), field("limit", .int, 100)]))
    #expect(
      plugin.features.map(\.name) == [
        "Counter.Counter", "Counter.Silent", "Counter.Unlabelled", "Counter.Wordless",
      ])
    #expect(plugin.features == LoadedPlugin(CounterPlugin.self).features)
  }

  @Test("A feature is described by its arguments and by its delegate and input cases")
  func description() throws {
    let info = LoadedPlugin(CounterPlugin.self).features[0]
    let place = Schema.object([field("x", .int), field("y", .int)])
    #expect(info.defect == nil)
    #expect(
      info.arguments == .object([field("start", .int, 10), field("title", .optional(.string))]))
    #expect(
      Set(info.delegates) == [
        CaseSchema(name: "closed", payload: nil),
        CaseSchema(name: "picked", payload: .int),
        CaseSchema(name: "placed", payload: place),
        CaseSchema(name: "maybe", payload: .optional(.int)),
        CaseSchema(name: "named", payload: .object([field("name", .string)])),
        CaseSchema(name: "moved", payload: .object([field("from", place), field("by", .int)])),
        CaseSchema(name: "felt", payload: .choice(["fine", "bad"])),
      ])
    #expect(Set(info.inputs.map(\.name)) == ["reset", "set", "move"])
    let mute = LoadedPlugin(CounterPlugin.self).features[1]
    #expect(mute.delegates.isEmpty && mute.inputs.isEmpty && mute.defect == nil)
    #expect(mute.arguments == .object([]))
  }

  @Test("A feature that can't be used is reported with its remedy")
  func defects() throws {
    let features = LoadedPlugin(CounterPlugin.self).features
    let unlabelled = try #require(features[2].defect)
    #expect(unlabelled.contains("'moved'"))
    #expect(unlabelled.contains("give each of them a label"))
    let wordless = try #require(features[3].defect)
    #expect(wordless.contains("'Message'"))
    #expect(wordless.contains("declare it as an enum"))
  }

  @Test("A configuration is completed by its defaults, and what does not fit is refused")
  func configuration() throws {
    let plugin = LoadedPlugin(CounterPlugin.self)
    #expect(try plugin.instantiate(configuration: nil).count == 4)
    #expect(try plugin.instantiate(configuration: ["limit": 5]).count == 4)
    #expect(throws: DecodingError.self) {
      try plugin.instantiate(configuration: ["step": "far"])
    }
    #expect(throws: CounterError.noStep) { try plugin.instantiate(configuration: ["step": 0]) }
  }
}
