package import AppCore
package import Navigation

/// One difference between two moments of an app, for people.
package struct FieldChange: Hashable, Sendable {
  /// The instance; `nil` for a difference in the app itself.
  package var instance: InstanceID?
  /// The instance's node; empty for a difference in the app itself.
  package var node: String
  /// The path in the state, such as `items[2].name`.
  ///
  /// It is empty for the whole instance, and in parentheses for what is not state, such as `(tab)`.
  package var path: String
  /// The earlier value; `nil` if there was none.
  package var before: Value?
  /// The later value; `nil` if there is none any more.
  package var after: Value?

  /// The node and the instance, as in `list #3.0`; empty for a difference in the app itself.
  package var owner: String { instance.map { "\(node) #\($0)" } ?? "" }
}

extension AppMoment {
  /// The differences to another moment, field by field.
  ///
  /// Instances are in the order of their numbers, and fields in the order of their names.
  ///
  /// `ids` are the instances to compare; `nil` for all.
  package func changes(to other: AppMoment, of ids: Set<InstanceID>? = nil) -> [FieldChange] {
    var found: [FieldChange] = []
    let all = ids ?? Set(instances.keys).union(other.instances.keys)
    for id in all.sorted() {
      let (old, new) = (instances[id], other.instances[id])
      let node = new?.node ?? old?.node ?? ""
      func add(_ path: String, _ before: Value?, _ after: Value?) {
        if before != after {
          found.append(
            FieldChange(instance: id, node: node, path: path, before: before, after: after))
        }
      }
      guard let old, let new else {
        if old != nil || new != nil {
          add("", old.map { $0.stateValue ?? .null }, new.map { $0.stateValue ?? .null })
        }
        continue
      }
      add("(place)", .string(old.placeText), .string(new.placeText))
      add(
        "(tab)", old.selectedTab.map { .string($0) }, new.selectedTab.map { .string($0) })
      add("(arguments)", old.arguments, new.arguments)
      guard let before = old.stateValue, let after = new.stateValue else {
        add("", old.stateValue, new.stateValue)
        continue
      }
      before.collectChanges(to: after, "") { path, before, after in add(path, before, after) }
    }
    if waitingLink != other.waitingLink {
      found.append(
        FieldChange(
          instance: nil, node: "", path: "(waiting link)", before: waitingLink.map { .string($0) },
          after: other.waitingLink.map { .string($0) }))
    }
    return found
  }
}

extension Value {
  /// Calls `body` with the path and both values of each difference to another value.
  fileprivate func collectChanges(
    to other: Value, _ path: String, _ body: (String, Value?, Value?) -> Void
  ) {
    if self == other { return }
    switch (self, other) {
    case (.object(let old), .object(let new)) where !old.isEmpty && !new.isEmpty:
      for name in Set(old.keys).union(new.keys).sorted() {
        let place = path.isEmpty ? name : "\(path).\(name)"
        guard let before = old[name], let after = new[name] else {
          body(place, old[name], new[name])
          continue
        }
        before.collectChanges(to: after, place, body)
      }
    case (.array(let old), .array(let new)):
      // Compare the elements between the common ends by index.
      let (start, end) = Self.commonEnds(old, new)
      let count = max(old.count, new.count) - start - end
      for index in start..<start + count {
        let place = "\(path)[\(index)]"
        // Not `nil`, which would be the literal of the value null.
        let before = index < old.count - end ? old[index] : Value?.none
        let after = index < new.count - end ? new[index] : Value?.none
        if let before, let after {
          before.collectChanges(to: after, place, body)
        } else {
          body(place, before, after)
        }
      }
    default: body(path, self, other)
    }
  }
}

extension SavedInstance {
  /// Its position in words.
  var placeText: String {
    switch place {
    case .above(let id): "on #\(id)"
    case .tab(let id, let node): "the tab '\(node)' of #\(id)"
    case .layer(nil): "the root"
    case .layer(let id?): "a dialog over #\(id)"
    case .background(nil): "the background"
    case .background(let id?): "the background of #\(id)"
    }
  }
}
