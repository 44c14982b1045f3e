package import AppCore
internal import Navigation

/// A difference between two versions of one shape, and what it breaks.
package struct SchemaChange: Hashable, Sendable {
  /// The names of the fields that lead to it, outermost first; empty for the shape itself.
  package let path: [String]
  /// The difference, without a subject: `is gone`, `was an integer, is now a string`.
  package let change: String
  /// What no longer passes the checks, such as `routes that give it null`; `nil` if nothing breaks.
  package let breaks: String?

  package init(path: [String], change: String, breaks: String?) {
    self.path = path
    self.change = change
    self.breaks = breaks
  }
}

/// How manifests use a shape, which decides what may change in it.
package enum SchemaUse: Hashable, Sendable {
  /// Manifests give values of it, as literals and as references to payloads: arguments and inputs.
  case taken
  /// Manifests give values of it, as literals only: a plugin's configuration.
  case configured
  /// Manifests refer to its values: the payload of a delegate action.
  case given
}

/// Compares two versions of a shape by the rules of the checks.
///
/// A change is compatible if every `with` that was valid for the old shape is valid for the new
/// one. ``TemplateTyping`` and `Schema.misfit(of:)` define what is valid: a change there needs one
/// here. A property test compares the two.
package struct SchemaComparison {
  let use: SchemaUse
  /// The differences found so far, outermost first.
  var changes: [SchemaChange] = []

  /// The differences between two shapes.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the size of both shapes and *d* their nesting depth.
  package static func changes(
    from old: Schema, to new: Schema, for use: SchemaUse
  ) -> [SchemaChange] {
    var comparison = SchemaComparison(use: use)
    switch use {
    case .taken, .configured: comparison.compareTaken(old, new, [])
    case .given: comparison.compareGiven(old, new, [], isReachable: true)
    }
    return comparison.changes
  }

  mutating func add(_ path: [String], _ change: String, breaks: String? = nil) {
    changes.append(SchemaChange(path: path, change: change, breaks: breaks))
  }

  mutating func addType(_ path: [String], _ old: Schema, _ new: Schema, breaks: String? = nil) {
    add(path, "was \(old.phrase), is now \(new.phrase)", breaks: breaks)
  }

  /// The names that only one of two lists has, in quotes; `nil` for none.
  static func changes(of old: [String], _ new: [String]) -> (gone: String?, added: String?) {
    let (gone, added) = (Set(old).subtracting(new), Set(new).subtracting(old))
    return (
      gone.isEmpty ? nil : quotedNames(gone), added.isEmpty ? nil : quotedNames(added)
    )
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

extension Schema.Field {
  var defaultText: String { defaultValue.map(\.json) ?? "none" }
}

/// Names in quotes, for a message.
func quotedNames(_ names: some Sequence<String>) -> String {
  names.sorted().map { "'\($0)'" }.joined(separator: ", ")
}

/// Two versions of a list, paired by the names of their elements.
struct NamedPairs<Element> {
  /// The elements of the old version, each with the one in the new version that has its name; `nil`
  /// if there is none.
  let kept: [(old: Element, new: Element?)]
  /// The elements that only the new version has.
  let added: [Element]

  /// - Complexity: O(*n*), where *n* is the length of both lists.
  init(_ old: [Element], _ new: [Element], name: (Element) -> String) {
    let names = Set(old.map(name))
    let others = Dictionary(new.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    kept = old.map { ($0, others[name($0)]) }
    added = new.filter { !names.contains(name($0)) }
  }
}
