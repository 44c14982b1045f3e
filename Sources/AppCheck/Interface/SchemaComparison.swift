internal import AppCore
internal import Navigation
internal import Support

/// Compares two versions of a shape by the rules of the checks.
///
/// Of a shape that manifests give values of, the new version must accept what the old one accepted:
/// every `with` that was valid stays valid. Of one that they refer to, the new version must fit
/// wherever the old one fitted. ``TemplateTyping`` and `Schema.misfit(of:)` define what is valid: a
/// change there needs one here. A property test compares the two.
struct SchemaComparison {
  /// How manifests use a shape, which decides what may change in it.
  enum Use {
    /// They give values of it, as literals and as references to payloads: arguments and inputs.
    case taken
    /// They give values of it, as literals only: a plugin's configuration.
    case configured
    /// They refer to its values: the payload of a delegate action.
    case given
  }
  private let use: Use
  private var isGiven: Bool { use == .given }
  private var givers: String { use == .configured ? "manifests" : "routes" }
  private var differences: [InterfaceDifference] = []

  private init(_ use: Use) { self.use = use }

  /// The differences between two shapes, outermost first.
  ///
  /// The subject of each is the path of a part, as references name fields; empty for the whole.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the size of both shapes and *d* their nesting depth.
  static func differences(
    from old: Schema, to new: Schema, for use: Use
  ) -> [InterfaceDifference] {
    var comparison = SchemaComparison(use)
    comparison.compare(old, new, "", isReachable: true)
    return comparison.differences
  }

  private mutating func add(_ path: String, _ change: String, breaks: String? = nil) {
    differences.append(InterfaceDifference(subject: path, change: change, breaks: breaks))
  }

  private mutating func addType(
    _ path: String, _ old: Schema, _ new: Schema, breaks: String? = nil
  ) {
    add(path, "was \(old.phrase), is now \(new.phrase)", breaks: breaks)
  }

  private static func path(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  /// Compares shapes, or parts of them.
  ///
  /// `isReachable` says whether a reference such as `$.a.b` can name this part; elements of lists
  /// and payloads of enum cases can only be passed on as part of the whole. `takesNull` says whether
  /// null is accepted besides the new shape.
  private mutating func compare(
    _ old: Schema, _ new: Schema, _ path: String, isReachable: Bool, takesNull: Bool = false
  ) {
    let (old, new) = (old.flat, new.flat)
    guard old != new else { return }
    switch (old, new) {
    case _ where isGiven && new.isUnknown:
      // It fits everywhere, but a recursive type can't be inserted into a text.
      let isInserted = isReachable && old.isInsertable && !new.isInsertable
      addType(path, old, new, breaks: isInserted ? "routes that insert it into a text" : nil)
    // An unknown shape accepts everything.
    case _ where !isGiven && new.isUnknownOrNothing: addType(path, old, new)
    case (.optional(let old), .optional(let new)):
      compare(old, new, path, isReachable: isReachable, takesNull: true)
    case (_, .optional(let new)):
      add(
        path, isGiven ? "may be missing now" : "may be null now",
        breaks: isGiven ? "routes that pass it on to what is required" : nil)
      compare(old, new, path, isReachable: isReachable, takesNull: true)
    case (.optional(let old), _):
      if isGiven {
        add(path, "is always there now")
      } else {
        add(
          path, "may no longer be null",
          breaks: givers
            + (use == .configured
              ? " that give it null" : " that give it null or an optional"))
      }
      compare(old, new, path, isReachable: isReachable)
    case (.array(let old), .array(let new)): compare(old, new, path + "[]", isReachable: false)
    case (.dictionary(let old), .dictionary(let new)):
      compare(old, new, path + "{}", isReachable: isReachable)
    case (.object(let old), .object(let new)): compare(old, new, path, isReachable: isReachable)
    case (.choice(let old), .choice(let new)): compareNames(old, new, path)
    case (.variant(let old), .variant(let new)):
      compareNames(old.map(\.name), new.map(\.name), path)
      let others = new.keyed(by: \.name)
      for entry in old {
        guard let other = others[entry.name] else { continue }
        compare(
          entry.payload ?? .object([]), other.payload ?? .object([]), Self.path(path, entry.name),
          isReachable: false)
      }
    default:
      if isGiven {
        compareGiven(old, new, path, isReachable: isReachable)
      } else {
        compareTaken(old, new, path, takesNull)
      }
    }
  }

  private mutating func compareNames(_ old: [String], _ new: [String], _ path: String) {
    let (gone, added) = (Set(old).subtracting(new), Set(new).subtracting(old))
    if isGiven, !gone.isEmpty { add(path, "is no longer \(quotedNames(gone))") }
    if !added.isEmpty {
      let names = quotedNames(added)
      add(
        path, "may also be \(names)",
        breaks: isGiven ? "routes that pass it on to what does not know \(names)" : nil)
    }
    if !isGiven, !gone.isEmpty {
      let names = quotedNames(gone)
      add(path, "may no longer be \(names)", breaks: "\(givers) that give it \(names)")
    }
  }

  private mutating func compare(
    _ old: [Schema.Field], _ new: [Schema.Field], _ path: String, isReachable: Bool
  ) {
    let others = new.keyed(by: \.name)
    for field in old {
      let place = Self.path(path, field.name)
      guard let other = others[field.name] else {
        add(place, "is gone", breaks: isGiven ? "routes that use it" : "\(givers) that give it")
        continue
      }
      if !isGiven { comparePresence(field, other, place) }
      compare(field.schema, other.schema, place, isReachable: isReachable)
    }
    let names = Set(old.map(\.name))
    let canBeElements = isGiven && Self.canBeElements(old.map(\.schema.flat))
    for field in new where !names.contains(field.name) {
      let (place, phrase) = (Self.path(path, field.name), field.schema.phrase)
      switch use {
      case .given:
        add(place, "is new: \(phrase)", breaks: givenBreaks(field, canBeElements))
      case .taken, .configured:
        if field.isRequired {
          add(place, "is new and required: \(phrase)", breaks: "\(givers) that lack it")
          continue
        }
        add(
          place, "is new and may be left out: \(phrase)",
          breaks: field.schema.isUnknownOrNothing || use == .configured
            ? nil
            : "routes that give a whole value ('$') whose own field '\(field.name)' is not \(phrase)"
        )
      }
    }
  }
}

// Shapes whose values manifests refer to.
extension SchemaComparison {
  private mutating func compareGiven(
    _ old: Schema, _ new: Schema, _ path: String, isReachable: Bool
  ) {
    switch (old, new) {
    case (.double, .int), (.secret, .string): addType(path, old, new)
    case (.string, .choice):
      addType(path, old, new, breaks: "routes that pass it on as a secret")
    case (.dictionary, .object) where isReachable:
      addType(path, old, new, breaks: "routes that refer to one of its fields")
    case (.dictionary(let element), .object(let fields)):
      addType(path, old, new)
      for field in fields {
        compare(element, field.schema, Self.path(path, field.name), isReachable: false)
      }
    default: addType(path, old, new, breaks: "routes that pass it on as \(old.phrase)")
    }
  }

  /// What a new field of a payload breaks; `canBeElements` says whether the others fit a map.
  private func givenBreaks(_ field: Schema.Field, _ canBeElements: Bool) -> String? {
    if field.schema.flat.isUnknown { return nil }
    if field.schema.isUnknownOrNothing {
      // It fits every optional field, but not a map whose values must not be optional.
      return canBeElements
        ? "routes that pass on the whole value ('$') as a map of what is required" : nil
    }
    return "routes that pass on the whole value ('$') to what has an own field '\(field.name)' "
      + "that is not \(field.schema.phrase), or to a map"
  }

  /// Whether all of these fit a map whose values are neither optional nor unknown.
  private static func canBeElements(_ schemas: [Schema]) -> Bool {
    var kinds: Set<String> = []
    for schema in schemas {
      switch schema {
      case .any, .opaque, .recursive: break
      case .optional: return false
      case .bool: kinds.insert("bool")
      case .int, .double: kinds.insert("number")
      case .string: kinds.insert("string")
      case .secret: kinds.insert("secret")
      case .choice: kinds.insert("choice")
      case .array: kinds.insert("list")
      case .dictionary, .object: kinds.insert("object")
      case .variant: kinds.insert("variant")
      @unknown default: break
      }
    }
    // A choice fits where a string is expected, and a string where a secret is expected.
    return kinds.count < 2 || kinds == ["string", "choice"] || kinds == ["string", "secret"]
  }
}

// Shapes that manifests give values of.
extension SchemaComparison {
  private mutating func compareTaken(
    _ old: Schema, _ new: Schema, _ path: String, _ takesNull: Bool
  ) {
    switch (old, new) {
    case (.int, .double): addType(path, old, new)
    case (.object(let fields), .dictionary(let element)) where use == .configured:
      addType(path, old, new)
      for field in fields {
        compare(field.schema, element, Self.path(path, field.name), isReachable: true)
      }
    case (.object, .dictionary(let element)):
      addType(
        path, old, new,
        breaks: element.isUnknownOrNothing
          ? nil
          : "routes that give it a whole value with other fields that are not \(element.phrase)")
    // The text of a literal is accepted as a string, whatever else it could be.
    case (.int, .string), (.double, .string), (.bool, .string), (.string, .secret),
      (.secret, .string), (.int, .secret), (.double, .secret), (.bool, .secret):
      let givers = old == .string ? "one of several names" : old.phrase
      addType(
        path, old, new, breaks: use == .configured ? nil : "routes that give it \(givers)")
    case (.choice(let names), .string), (.choice(let names), .secret):
      guard use == .configured || new == .string else {
        return addType(path, old, new, breaks: "routes that give it one of several names")
      }
      let nulls = names.filter { ["", "~", "null", "Null", "NULL"].contains($0) }
      addType(
        path, old, new,
        breaks: nulls.isEmpty || takesNull
          ? nil : "\(givers) that give it \(quotedNames(nulls)) without quotes, which is null then")
    default: addType(path, old, new, breaks: "\(givers) that give it \(old.phrase)")
    }
  }

  private mutating func comparePresence(
    _ field: Schema.Field, _ other: Schema.Field, _ path: String
  ) {
    if !field.isRequired, other.isRequired {
      add(path, "is required now", breaks: "\(givers) that leave it out")
    } else if field.isRequired, !other.isRequired {
      add(path, "may be left out now")
    }
    let former = field.defaultValue.map(\.json) ?? "none"
    if let value = other.defaultValue, value != field.defaultValue {
      add(path, "has the default \(value.json), was \(former)")
    } else if field.defaultValue != nil, other.defaultValue == nil, !other.isRequired {
      add(path, "has no default, was \(former)")
    }
  }
}

extension Schema {
  /// The shape without nested optionals: all of their levels accept the same null.
  var flat: Schema {
    if case .optional(let wrapped) = self, case .optional = wrapped { wrapped.flat } else { self }
  }

  /// Whether nothing is known about its values before they are decoded.
  var isUnknown: Bool {
    switch self {
    case .any, .opaque, .recursive: true
    default: false
    }
  }

  /// Whether nothing is known about its values, except perhaps that they may be null.
  var isUnknownOrNothing: Bool {
    if case .optional(let wrapped) = flat { wrapped.isUnknown } else { isUnknown }
  }
}

private func quotedNames(_ names: some Sequence<String>) -> String {
  names.sorted().map { "'\($0)'" }.joined(separator: ", ")
}
