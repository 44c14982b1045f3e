package import AppCore
package import Sessions

/// What a step has changed in one place, for people.
package struct FieldChange: Hashable, Sendable {
  /// The instance, such as `3.0`; empty for what concerns the app.
  package var instance: String
  /// The instance's node; empty for what concerns the app.
  package var node: String
  /// The place in the state, such as `items[2].name`; empty for the instance itself.
  package var path: String
  /// What was there; `nil` for what is new.
  package var before: Value?
  /// What is there; `nil` for what is gone.
  package var after: Value?

  package init(
    instance: String, node: String, path: String, before: Value?, after: Value?
  ) {
    self.instance = instance
    self.node = node
    self.path = path
    self.before = before
    self.after = after
  }
}

extension AppMoment {
  /// What differs in another moment, field by field: instances in the order of their numbers, fields in
  /// that of their names.
  ///
  /// - Parameters:
  ///   - other: the later moment.
  ///   - ids: the instances to be compared; all unless given.
  /// - Returns: the differences.
  package func changes(to other: AppMoment, of ids: Set<UInt64>? = nil) -> [FieldChange] {
    var found: [FieldChange] = []
    let all = ids ?? Set(instances.keys).union(other.instances.keys)
    for id in all.sorted() {
      let (old, new) = (instances[id], other.instances[id])
      let (text, node) = (InstanceNumber.text(id), new?.node ?? old?.node ?? "")
      func add(_ path: String, _ before: Value?, _ after: Value?) {
        if before != after {
          found.append(
            FieldChange(instance: text, node: node, path: path, before: before, after: after))
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
          instance: "", node: "", path: "(waiting link)", before: waitingLink.map { .string($0) },
          after: other.waitingLink.map { .string($0) }))
    }
    return found
  }
}

extension Value {
  /// Calls `body` with each place in which another value differs.
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
      // What both begin and end with is the same, and what lies between is compared in order.
      let shorter = min(old.count, new.count)
      var start = 0
      while start < shorter, old[start] == new[start] { start += 1 }
      var end = 0
      while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
      let count = max(old.count, new.count) - start - end
      for index in start..<start + count {
        let place = "\(path)[\(index)]"
        // Not 'nil', which is a value as well.
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
  /// Its state in structural form; `nil` for a container, and for one that could not be coded.
  package var stateValue: Value? {
    switch state {
    case .value(let value), .suspended(let value, _, _): value
    case .container, .notEncodable: nil
    }
  }

  /// Where it stands, in words.
  var placeText: String {
    switch place {
    case .above(let id): "on #\(InstanceNumber.text(id))"
    case .tab(let id, let node): "the tab '\(node)' of #\(InstanceNumber.text(id))"
    case .layer(nil): "the root"
    case .layer(let id?): "a dialog over #\(InstanceNumber.text(id))"
    case .background(nil): "the background"
    case .background(let id?): "the background of #\(InstanceNumber.text(id))"
    }
  }
}
