@_spi(Host) import AppCore
import Testing

@testable import AppCheck

@Suite("InterfaceDifference")
struct InterfaceDifferenceTests {
  private static func interface(
    _ version: String = "1.0.0", configuration: Schema = .object([]),
    arguments: [Schema.Field] = [],
    delegates: [CaseSchema] = [], inputs: [CaseSchema] = []
  ) -> PluginInterface {
    PluginInterface(
      PluginInfo(
        name: "Shop", version: version, configuration: configuration,
        features: [
          FeatureInfo(
            name: "Shop.List", arguments: .object(arguments), delegates: delegates, inputs: inputs)
        ]))
  }

  private static func field(
    _ name: String, _ schema: Schema, _ value: Value? = nil
  ) -> Schema.Field { .init(name: name, schema: schema, defaultValue: value) }

  private func differences(_ old: PluginInterface, _ new: PluginInterface) -> [String] {
    new.differences(from: old).map { difference in
      "\(difference.subject) \(difference.change)"
        + (difference.breaks.map { "; breaks \($0)" } ?? "")
    }
  }

  @Test("Arguments may accept more, and never less")
  func arguments() {
    let old = Self.interface(arguments: [
      Self.field("id", .int), Self.field("kind", .choice(["a", "b"])), Self.field("size", .int, 5),
    ])
    let wider = Self.interface(arguments: [
      Self.field("id", .optional(.double)), Self.field("kind", .choice(["a", "b", "c"])),
      Self.field("size", .int, 6),
    ])
    #expect(
      differences(old, wider) == [
        "Shop.List argument id may be left out now", "Shop.List argument id may be null now",
        "Shop.List argument id was an integer, is now a number",
        "Shop.List argument kind may also be 'c'",
        "Shop.List argument size has the default 6, was 5",
      ])
    #expect(
      differences(wider, old) == [
        "Shop.List argument id is required now; breaks routes that leave it out",
        "Shop.List argument id may no longer be null; breaks routes that give it null or an "
          + "optional",
        "Shop.List argument id was a number, is now an integer; breaks routes that give it a number",
        "Shop.List argument kind may no longer be 'c'; breaks routes that give it 'c'",
        "Shop.List argument size has the default 5, was 6",
      ])
  }

  @Test("A new optional argument breaks only routes that pass on a whole value with such a field")
  func newArgument() {
    let old = Self.interface()
    #expect(
      differences(old, Self.interface(arguments: [Self.field("note", .optional(.string))])) == [
        "Shop.List argument note is new and may be left out: a string or nothing; breaks routes "
          + "that give a whole value ('$') whose own field 'note' is not a string or nothing"
      ])
    let settings = Self.interface(configuration: .object([Self.field("note", .string, "n")]))
    #expect(
      differences(old, settings) == ["configuration note is new and may be left out: a string"])
  }

  @Test("Each delegate action needs a route, so that a new one breaks all who use the feature")
  func delegates() {
    let old = Self.interface(delegates: [CaseSchema(name: "selected", payload: .double)])
    let new = Self.interface(delegates: [
      CaseSchema(name: "selected", payload: .int), CaseSchema(name: "closed", payload: nil),
    ])
    #expect(
      differences(old, new) == [
        "Shop.List delegate closed is new; breaks manifests that use 'Shop.List' and have no route "
          + "for it",
        "Shop.List delegate selected was a number, is now an integer",
      ])
  }

  @Test("Inputs may accept more")
  func inputs() {
    let old = Self.interface(inputs: [CaseSchema(name: "told", payload: nil)])
    let any = Self.interface(inputs: [CaseSchema(name: "told", payload: .any)])
    #expect(
      differences(old, any) == [
        "Shop.List input told was an object {}, is now any value",
        "Shop.List input told has to be given; breaks routes that notify it without 'with'",
      ])
    #expect(
      differences(old, Self.interface()) == [
        "Shop.List input told is gone; breaks routes that notify it"
      ])
    #expect(differences(Self.interface(), old).count == 1)
  }

  @Test("A plugin under another name is another plugin")
  func renamed() {
    let old = Self.interface()
    let new = PluginInterface(
      PluginInfo(name: "Store", version: "2.0.0", configuration: .object([]), features: []))
    #expect(
      differences(old, new) == ["plugin Shop is named 'Store' now; breaks manifests that list it"])
  }

  @Test(
    "The version grows as Semantic Versioning has it, before 1.0 by one number less",
    arguments: [
      (VersionStep.major, "1.2.3", "2.0.0"), (.minor, "1.2.3", "1.3.0"), (.patch, "1.2.3", "1.2.4"),
      (.major, "0.2.3", "0.3.0"), (.minor, "0.2.3", "0.2.4"), (.patch, "0.2.3", "0.2.4"),
      (.major, "1.2", nil), (.major, "1.2.x", nil), (.major, "99999999999999999999.0.0", nil),
      (.major, "9223372036854775807.0.0", nil), (.patch, "", nil), (.patch, "1..2", nil),
    ] as [(VersionStep, String, String?)])
  func steps(step: VersionStep, version: String, next: String?) {
    #expect(step.next(after: version) == next)
  }

  @Test("Whether a version says enough is compared by its numbers")
  func said() {
    #expect(VersionStep.major.isSaid(by: "2.0.0", after: "1.9.9") == true)
    #expect(VersionStep.major.isSaid(by: "1.10.0", after: "1.9.9") == false)
    #expect(VersionStep.minor.isSaid(by: "1.10.0", after: "1.9.9") == true)
    #expect(VersionStep.patch.isSaid(by: "1.9.9", after: "1.9.9") == false)
    #expect(VersionStep.patch.isSaid(by: "new", after: "1.9.9") == nil)
  }
}
