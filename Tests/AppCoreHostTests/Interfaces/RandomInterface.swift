@_spi(Host) import AppCore
import TestSupport

@testable import AppCheck

/// Makes plugins' interfaces, and changes them as teams do.
struct RandomInterface {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  /// Two versions of one plugin's interface.
  mutating func pair() -> (old: PluginInterface, new: PluginInterface) {
    let old = interface()
    var new = old
    for _ in 0..<pick([1, 1, 1, 2, 3]) { new = changed(new) }
    return (PluginInterface(old), PluginInterface(new))
  }

  // MARK: Making

  private mutating func interface() -> PluginInfo {
    PluginInfo(
      name: "P", version: "1.0.0", configuration: object(1, isLiteral: true, defaults: true),
      features: ["P.A", "P.B"].prefix(number(1...2)).map { feature($0) })
  }

  private mutating func feature(_ name: String) -> FeatureInfo {
    FeatureInfo(
      name: name,
      arguments: chance(92) ? object(2, defaults: true) : shape(2),
      delegates: cases(["go", "more"]), inputs: cases(["told", "asked"]),
      defect: chance(3) ? "it is not finished" : nil)
  }

  private mutating func cases(_ names: [String]) -> [CaseSchema] {
    names.prefix(number(0...names.count)).map { CaseSchema(name: $0, payload: payload()) }
  }

  private mutating func payload() -> Schema? {
    chance(20) ? nil : chance(70) ? object(2) : shape(2)
  }

  private mutating func object(
    _ depth: Int, isLiteral: Bool = false, defaults: Bool = false
  ) -> Schema {
    .object(
      ["a", "b", "c"].prefix(number(0...3)).map {
        field($0, depth - 1, isLiteral: isLiteral, defaults: defaults)
      })
  }

  private mutating func field(
    _ name: String, _ depth: Int, isLiteral: Bool = false, defaults: Bool = false
  ) -> Schema.Field {
    let schema = shape(depth, isLiteral: isLiteral)
    return Schema.Field(
      name: name, schema: chance(25) ? .optional(schema) : schema,
      defaultValue: defaults && chance(25) ? .int(number(0...1)) : nil)
  }

  private mutating func shape(_ depth: Int, isLiteral: Bool = false) -> Schema {
    if depth > 0, chance(45) {
      switch number(0...4) {
      case 0: return .array(shape(depth - 1, isLiteral: isLiteral))
      case 1: return .dictionary(shape(depth - 1, isLiteral: isLiteral))
      case 2: return variant(depth, isLiteral: isLiteral)
      default: return object(depth, isLiteral: isLiteral)
      }
    }
    switch number(0...11) {
    case 0, 1: return .bool
    case 2, 3: return .int
    case 4: return .double
    case 5, 6: return .string
    case 7: return .secret
    case 8: return isLiteral ? .any : pick([.any, .opaque("Date"), .recursive("Tree")])
    default: return choice(isLiteral: isLiteral)
    }
  }

  private mutating func choice(isLiteral: Bool) -> Schema {
    let names = ["x", "y", "z", "null"].filter { _ in chance(50) }
    return .choice(names.isEmpty && (isLiteral || chance(80)) ? ["x"] : names)
  }

  private mutating func variant(_ depth: Int, isLiteral: Bool) -> Schema {
    .variant(
      ["one", "two"].prefix(number((isLiteral ? 1 : 0)...2)).map {
        CaseSchema(
          name: $0,
          payload: chance(30)
            ? nil
            : chance(50)
              ? object(depth - 1, isLiteral: isLiteral) : shape(depth - 1, isLiteral: isLiteral))
      })
  }

  // MARK: Changing

  private mutating func changed(_ info: PluginInfo) -> PluginInfo {
    var configuration = info.configuration
    var features = info.features
    switch number(0...9) {
    case 0: configuration = changed(configuration, isLiteral: true, defaults: true)
    case 1 where features.count > 1: features.removeLast()
    case 1: features.append(feature("P.C"))
    default:
      let index = number(0...features.count - 1)
      features[index] = changed(features[index])
    }
    return PluginInfo(
      name: info.name, version: "1.1.0", configuration: configuration, features: features)
  }

  private mutating func changed(_ feature: FeatureInfo) -> FeatureInfo {
    var arguments = feature.arguments
    var delegates = feature.delegates
    var inputs = feature.inputs
    var defect = feature.defect
    switch number(0...20) {
    case 0...8: arguments = changed(arguments, defaults: true)
    case 9...14: changeCase(&delegates, ["go", "more"])
    case 15...19: changeCase(&inputs, ["told", "asked"])
    default: defect = defect == nil ? "it is not finished" : nil
    }
    return FeatureInfo(
      name: feature.name, arguments: arguments, delegates: delegates, inputs: inputs,
      defect: defect)
  }

  private mutating func changeCase(_ cases: inout [CaseSchema], _ names: [String]) {
    switch number(0...9) {
    case 0 where !cases.isEmpty: cases.remove(at: number(0...cases.count - 1))
    case 1:
      if let free = names.first(where: { name in !cases.contains { $0.name == name } }) {
        cases.append(CaseSchema(name: free, payload: payload()))
      }
    default:
      guard !cases.isEmpty else { return }
      let index = number(0...cases.count - 1)
      let payload = changed(cases[index].payload ?? .object([]))
      cases[index] = CaseSchema(
        name: cases[index].name, payload: payload == .object([]) ? nil : payload)
    }
  }

  private mutating func changed(
    _ schema: Schema, isLiteral: Bool = false, defaults: Bool = false
  ) -> Schema {
    // What is inside is changed more often than what is around it.
    if chance(75), let inner = changedInside(schema, isLiteral: isLiteral, defaults: defaults) {
      return inner
    }
    if defaults { return isLiteral || chance(80) ? schema : shape(2) }
    switch schema {
    case .optional(let wrapped):
      return chance(70) ? wrapped : changed(wrapped, isLiteral: isLiteral)
    case .int: return pick([.double, .optional(.int), .string, .any, .bool])
    case .double: return pick([.int, .optional(.double), .string])
    case .string: return pick([.secret, .optional(.string), choice(isLiteral: isLiteral), .any])
    case .secret: return pick([.string, .optional(.secret), .int])
    case .bool: return pick([.int, .string, .optional(.bool)])
    case .choice: return pick([.string, .secret, .optional(schema), choice(isLiteral: isLiteral)])
    case .any, .opaque, .recursive:
      return isLiteral
        ? shape(1, isLiteral: true) : pick([.any, .opaque("URL"), .recursive("Tree"), shape(1)])
    case .object where !isLiteral: return pick([.dictionary(shape(1)), .optional(schema), .any])
    case .dictionary where !isLiteral: return pick([object(1), .optional(schema), .any])
    case .object(let fields) where chance(30):
      return .dictionary(fields.first?.schema ?? .any)
    case .array, .variant, .dictionary, .object:
      return isLiteral ? .optional(schema) : pick([.optional(schema), .any, shape(1)])
    @unknown default: return .any
    }
  }

  private mutating func changedInside(
    _ schema: Schema, isLiteral: Bool, defaults: Bool
  ) -> Schema? {
    switch schema {
    case .optional(let wrapped): return .optional(changed(wrapped, isLiteral: isLiteral))
    case .array(let element): return .array(changed(element, isLiteral: isLiteral))
    case .dictionary(let element): return .dictionary(changed(element, isLiteral: isLiteral))
    case .object(var fields):
      switch number(0...5) {
      case 0:
        let name = pick(["d", "e"])
        guard !fields.contains(where: { $0.name == name }) else { return schema }
        let made = field(name, 1, isLiteral: isLiteral, defaults: defaults)
        fields.append(chance(40) ? Schema.Field(name: name, schema: .optional(.any)) : made)
      case 1 where !fields.isEmpty: fields.remove(at: number(0...fields.count - 1))
      case 2 where defaults && !fields.isEmpty:
        let index = number(0...fields.count - 1)
        fields[index] = Schema.Field(
          name: fields[index].name, schema: fields[index].schema,
          defaultValue: fields[index].defaultValue == nil ? 1 : nil)
      default:
        guard !fields.isEmpty else { return nil }
        let index = number(0...fields.count - 1)
        fields[index] = Schema.Field(
          name: fields[index].name, schema: changed(fields[index].schema, isLiteral: isLiteral),
          defaultValue: fields[index].defaultValue)
      }
      return .object(fields)
    case .choice(let names):
      let free = ["x", "y", "z", "w"].filter { !names.contains($0) }
      return chance(50) || names.count < 2
        ? .choice(names + free.prefix(1)) : .choice(Array(names.dropLast()))
    case .variant(var cases):
      guard let last = cases.popLast() else {
        return .variant([CaseSchema(name: "one", payload: nil)])
      }
      switch number(0...2) {
      case 0 where !cases.isEmpty: return .variant(cases)
      case 1: return .variant(cases + [last, CaseSchema(name: "three", payload: nil)])
      default:
        let payload = changed(last.payload ?? .object([]), isLiteral: isLiteral)
        return .variant(cases + [CaseSchema(name: last.name, payload: payload)])
      }
    case .bool, .int, .double, .string, .secret, .any, .opaque, .recursive: return nil
    @unknown default: return nil
    }
  }
}
