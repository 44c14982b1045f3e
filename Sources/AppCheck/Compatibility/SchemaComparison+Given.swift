internal import AppCore
internal import Navigation

// Shapes whose values manifests refer to: wherever the old one fitted, the new one must fit.
extension SchemaComparison {
  /// Compares shapes of a payload, or of a part of it.
  ///
  /// `isReachable` says whether a reference such as `$.a.b` can name this part; elements of lists
  /// and payloads of enum cases can only be passed on as part of the whole.
  mutating func compareGiven(
    _ old: Schema, _ new: Schema, _ path: [String], isReachable: Bool
  ) {
    let (old, new) = (old.flat, new.flat)
    guard old != new else { return }
    if new.isUnknown {
      // It fits everywhere, but a recursive type can't be inserted into a text.
      let isInserted = isReachable && old.isInsertable && !new.isInsertable
      return addType(
        path, old, new, breaks: isInserted ? "routes that insert it into a text" : nil)
    }
    switch (old, new) {
    case (.optional(let old), .optional(let new)):
      compareGiven(old, new, path, isReachable: isReachable)
    case (_, .optional(let wrapped)):
      add(path, "may be missing now", breaks: "routes that pass it on to what is required")
      compareGiven(old, wrapped, path, isReachable: isReachable)
    case (.optional(let wrapped), _):
      add(path, "is always there now")
      compareGiven(wrapped, new, path, isReachable: isReachable)
    case (.double, .int), (.secret, .string): addType(path, old, new)
    case (.string, .choice):
      addType(path, old, new, breaks: "routes that pass it on as a secret")
    case (.choice(let old), .choice(let new)): compareGivenNames(old, new, path)
    case (.array(let old), .array(let new)):
      compareGiven(old, new, path + ["[]"], isReachable: false)
    case (.dictionary(let old), .dictionary(let new)):
      compareGiven(old, new, path + ["{}"], isReachable: isReachable)
    case (.dictionary, .object) where isReachable:
      addType(path, old, new, breaks: "routes that refer to one of its fields")
    case (.dictionary(let element), .object(let fields)):
      addType(path, old, new)
      for field in fields {
        compareGiven(element, field.schema, path + [field.name], isReachable: false)
      }
    case (.object(let old), .object(let new)):
      compareGiven(old, new, path, isReachable: isReachable)
    case (.variant(let old), .variant(let new)): compareGiven(old, new, path)
    default: addType(path, old, new, breaks: "routes that pass it on as \(old.phrase)")
    }
  }

  private mutating func compareGiven(
    _ old: [Schema.Field], _ new: [Schema.Field], _ path: [String], isReachable: Bool
  ) {
    let pairs = NamedPairs(old, new, name: \.name)
    for (field, other) in pairs.kept {
      let place = path + [field.name]
      guard let other else {
        add(place, "is gone", breaks: "routes that use it")
        continue
      }
      compareGiven(field.schema, other.schema, place, isReachable: isReachable)
    }
    let canBeElements = Self.canBeElements(old.map(\.schema.flat))
    for field in pairs.added {
      let phrase = field.schema.phrase
      let breaks: String?
      if field.schema.flat.isUnknown {
        breaks = nil
      } else if field.schema.isUnknownOrNothing {
        // It fits every optional field, but not a map whose values must not be optional.
        breaks =
          canBeElements
          ? "routes that pass on the whole value ('$') as a map of what is required" : nil
      } else {
        breaks =
          "routes that pass on the whole value ('$') to what has an own field '\(field.name)' "
          + "that is not \(phrase), or to a map"
      }
      add(path + [field.name], "is new: \(phrase)", breaks: breaks)
    }
  }

  private mutating func compareGiven(
    _ old: [CaseSchema], _ new: [CaseSchema], _ path: [String]
  ) {
    compareGivenNames(old.map(\.name), new.map(\.name), path)
    for case (let entry, let other?) in NamedPairs(old, new, name: \.name).kept {
      compareGiven(
        entry.payload ?? .object([]), other.payload ?? .object([]), path + [entry.name],
        isReachable: false)
    }
  }

  private mutating func compareGivenNames(_ old: [String], _ new: [String], _ path: [String]) {
    let (gone, added) = Self.changes(of: old, new)
    if let gone { add(path, "is no longer \(gone)") }
    if let added {
      add(
        path, "may also be \(added)",
        breaks: "routes that pass it on to what does not know \(added)")
    }
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
