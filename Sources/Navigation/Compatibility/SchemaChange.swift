package import AppCore

/// A difference between two versions of one shape, and what it breaks.
package struct SchemaChange: Hashable, Sendable {
  /// The fields that lead to it, from the outside inwards; empty for the shape itself.
  package let path: [String]
  /// What is different, without a subject: `is gone`, `was an integer, is now a string`.
  package let change: String
  /// What no longer checks, such as `routes that give it null`; `nil` if everything still does.
  package let breaks: String?

  /// Creates a difference.
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

/// Compares two versions of a shape by the rules of the checker.
///
/// A change breaks nothing exactly where every `with` that was correct for the old shape is correct
/// for the new one. ``TemplateTyping`` and `Schema.misfit(of:)` say what is correct; what changes
/// there has to change here, and a property test holds the two together.
package struct SchemaComparison {
  let use: SchemaUse
  /// The differences so far, from the outside inwards.
  var changes: [SchemaChange] = []

  /// The differences between two shapes.
  ///
  /// - Complexity: O(n) in the size of both shapes, times the number of fields of one object.
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

  /// Adds that a shape is another one.
  mutating func addType(_ path: [String], _ old: Schema, _ new: Schema, breaks: String? = nil) {
    add(path, "was \(old.phrase), is now \(new.phrase)", breaks: breaks)
  }
}

extension Schema {
  /// The shape with at most one `optional` around it: null is null, however often it may be that.
  var flat: Schema {
    if case .optional(let wrapped) = self, case .optional = wrapped { wrapped.flat } else { self }
  }

  /// Whether nothing is known of its values before they are decoded.
  var isUnknown: Bool {
    switch self {
    case .any, .opaque, .recursive: true
    default: false
    }
  }

  /// Whether nothing is known of its values, but that they may be missing.
  var isUnknownOrNothing: Bool {
    if case .optional(let wrapped) = flat { wrapped.isUnknown } else { isUnknown }
  }

  var isOptional: Bool { if case .optional = self { true } else { false } }
}

extension Schema.Field {
  /// The default as a message shows it.
  var defaultText: String { defaultValue.map(\.json) ?? "none" }
}

/// Names in quotes, for a message.
func quotedNames(_ names: [String]) -> String {
  names.sorted().map { "'\($0)'" }.joined(separator: ", ")
}

/// Two versions of a list of things with names, paired by them.
struct NamedPairs<Element> {
  /// What the old version has, each with what the new one has under its name.
  let kept: [(old: Element, new: Element?)]
  /// What only the new version has.
  let added: [Element]

  /// - Complexity: O(n) in the length of both lists.
  init(_ old: [Element], _ new: [Element], name: (Element) -> String) {
    let names = Set(old.map(name))
    let others = Dictionary(new.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    kept = old.map { ($0, others[name($0)]) }
    added = new.filter { !names.contains(name($0)) }
  }

  /// What only the old version has.
  var gone: [Element] { kept.filter { $0.new == nil }.map(\.old) }
}
