internal import AppCore
internal import Navigation

// Shapes that manifests give values of: what the old one accepted, the new one must accept.
extension SchemaComparison {
  /// Compares shapes that are expected of a `with`, or of a part of it.
  ///
  /// `takesNull` says whether null is accepted besides the new shape.
  mutating func compareTaken(
    _ old: Schema, _ new: Schema, _ path: [String], takesNull: Bool = false
  ) {
    let (old, new) = (old.flat, new.flat)
    guard old != new else { return }
    // An unknown shape accepts everything.
    if new.isUnknownOrNothing { return addType(path, old, new) }
    switch (old, new) {
    case (.optional(let old), .optional(let new)): compareTaken(old, new, path, takesNull: true)
    case (_, .optional(let wrapped)):
      add(path, "may be null now")
      compareTaken(old, wrapped, path, takesNull: true)
    case (.optional(let wrapped), _):
      add(path, "may no longer be null", breaks: nullGivers)
      compareTaken(wrapped, new, path)
    case (.array(let old), .array(let new)): compareTaken(old, new, path + ["[]"])
    case (.dictionary(let old), .dictionary(let new)): compareTaken(old, new, path + ["{}"])
    case (.object(let old), .object(let new)): compareTaken(old, new, path)
    case (.object(let fields), .dictionary(let element)) where use == .configured:
      addType(path, old, new)
      for field in fields { compareTaken(field.schema, element, path + [field.name]) }
    case (.object, .dictionary(let element)) where element.isUnknownOrNothing:
      addType(path, old, new)
    case (.object, .dictionary(let element)):
      addType(
        path, old, new,
        breaks: "routes that give it a whole value with other fields that are not \(element.phrase)"
      )
    case (.choice(let old), .choice(let new)): compareTakenNames(old, new, path)
    case (.variant(let old), .variant(let new)): compareTaken(old, new, path)
    default: compareScalars(old, new, path, takesNull)
    }
  }

  private var nullGivers: String {
    use == .configured ? "manifests that give it null" : "routes that give it null or an optional"
  }

  private var givers: String { use == .configured ? "manifests" : "routes" }

  private mutating func compareScalars(
    _ old: Schema, _ new: Schema, _ path: [String], _ takesNull: Bool
  ) {
    switch (old, new) {
    case (.int, .double): addType(path, old, new)
    // The text of a literal is accepted as a string, whatever else it could be.
    case (.int, .string), (.double, .string), (.bool, .string), (.string, .secret),
      (.secret, .string), (.int, .secret), (.double, .secret), (.bool, .secret):
      if use == .configured { return addType(path, old, new) }
      switch (old, new) {
      case (.string, .secret):
        addType(path, old, new, breaks: "routes that give it one of several names")
      case (.secret, .string): addType(path, old, new, breaks: "routes that give it a secret")
      default: addType(path, old, new, breaks: "routes that give it \(old.phrase)")
      }
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

  private mutating func compareTaken(
    _ old: [Schema.Field], _ new: [Schema.Field], _ path: [String]
  ) {
    let pairs = NamedPairs(old, new, name: \.name)
    for (field, other) in pairs.kept {
      let place = path + [field.name]
      guard let other else {
        add(place, "is gone", breaks: "\(givers) that give it")
        continue
      }
      if !field.isRequired, other.isRequired {
        add(place, "is required now", breaks: "\(givers) that leave it out")
      } else if field.isRequired, !other.isRequired {
        add(place, "may be left out now")
      }
      if let other = other.defaultValue, other != field.defaultValue {
        add(place, "has the default \(other.json), was \(field.defaultText)")
      } else if field.defaultValue != nil, other.defaultValue == nil, !other.isRequired {
        add(place, "has no default, was \(field.defaultText)")
      }
      compareTaken(field.schema, other.schema, place)
    }
    for field in pairs.added {
      let place = path + [field.name]
      if field.isRequired {
        add(
          place, "is new and required: \(field.schema.phrase)", breaks: "\(givers) that lack it")
      } else if field.schema.isUnknownOrNothing || use == .configured {
        add(place, "is new and may be left out: \(field.schema.phrase)")
      } else {
        add(
          place, "is new and may be left out: \(field.schema.phrase)",
          breaks: "routes that give a whole value ('$') whose own field '\(field.name)' is not "
            + field.schema.phrase)
      }
    }
  }

  private mutating func compareTaken(
    _ old: [CaseSchema], _ new: [CaseSchema], _ path: [String]
  ) {
    compareTakenNames(old.map(\.name), new.map(\.name), path)
    for case (let entry, let other?) in NamedPairs(old, new, name: \.name).kept {
      compareTaken(
        entry.payload ?? .object([]), other.payload ?? .object([]), path + [entry.name])
    }
  }

  private mutating func compareTakenNames(_ old: [String], _ new: [String], _ path: [String]) {
    let (gone, added) = Self.changes(of: old, new)
    if let added { add(path, "may also be \(added)") }
    if let gone {
      add(path, "may no longer be \(gone)", breaks: "\(givers) that give it \(gone)")
    }
  }
}
