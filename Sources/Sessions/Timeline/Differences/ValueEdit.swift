package import AppCore
package import Navigation

package struct ValueEdit: Hashable, Sendable {
  /// One component of a path: a field of an object, or an index of a list.
  package enum Key: Hashable, Sendable {
    case field(String)
    case index(Int)
  }

  /// What an edit does at the end of its path.
  package enum Change: Hashable, Sendable {
    case set(Value)
    case remove
    /// Replaces the `removed` elements of a list from index `start` on by others.
    case splice(start: Int, removed: Int, inserted: [Value])
  }

  /// The path to the changed value; for a splice, to the list.
  package var path: [Key]
  package var change: Change

  package init(_ path: [Key], _ change: Change) {
    self.path = path
    self.change = change
  }

  /// The path as text, such as `items[2].name`.
  package var pathText: String {
    path.reduce(into: "") { text, key in
      switch key {
      case .field(let name): text += (text.isEmpty ? "" : ".") + name
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  /// The path as a JSON pointer (RFC 6901).
  package var pointer: String {
    path.map { key in
      switch key {
      case .field(let name):
        "/"
          + name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
      case .index(let index): "/\(index)"
      }
    }.joined()
  }
}

// The form in a recording: a list that begins with the path. Nothing follows for `remove`, the value
// for `set`, and for `splice` the start, the number of removed elements and the inserted ones.
extension ValueEdit {
  var value: Value {
    let keys = Value.array(path.map(\.value))
    return switch change {
    case .set(let value): .array([keys, value.stored])
    case .remove: .array([keys])
    case .splice(let start, let removed, let inserted):
      .array([keys, .int(start), .int(removed), .array(inserted.map(\.stored))])
    }
  }

  init?(_ value: Value) {
    guard case .array(let parts) = value, let path = parts.first?.list(Key.init),
      path.count <= Value.stateDepthLimit
    else { return nil }
    switch parts.count {
    case 1: self.init(path, .remove)
    case 2: self.init(path, .set(Value(stored: parts[1])))
    case 4:
      guard case .int(let start) = parts[1], case .int(let removed) = parts[2],
        case .array(let inserted) = parts[3]
      else { return nil }
      self.init(
        path,
        .splice(start: start, removed: removed, inserted: inserted.map { Value(stored: $0) }))
    default: return nil
    }
  }
}

extension ValueEdit.Key {
  fileprivate var value: Value {
    switch self {
    case .field(let name): .string(name)
    case .index(let index): .int(index)
    }
  }

  fileprivate init?(_ value: Value) {
    switch value {
    case .string(let name): self = .field(name)
    case .int(let index): self = .index(index)
    default: return nil
    }
  }
}

extension Value {
  /// The edits that turn this value into another one, fields in the order of their names.
  ///
  /// Lists of the same length are compared element by element. Other lists are spliced between
  /// their common prefix and suffix.
  package func edits(to other: Value) -> [ValueEdit] {
    var edits: [ValueEdit] = []
    var path: [ValueEdit.Key] = []
    collectEdits(to: other, &path, &edits)
    return edits
  }

  private func collectEdits(
    to other: Value, _ path: inout [ValueEdit.Key], _ edits: inout [ValueEdit]
  ) {
    if isSame(as: other) { return }
    switch (self, other) {
    case (.object(let old), .object(let new)):
      for name in Set(old.keys).union(new.keys).sorted() {
        if let former = old[name], let value = new[name], former.isSame(as: value) { continue }
        path.append(.field(name))
        if let former = old[name], let value = new[name] {
          former.collectEdits(to: value, &path, &edits)
        } else {
          edits.append(ValueEdit(path, new[name].map { .set($0) } ?? .remove))
        }
        path.removeLast()
      }
    case (.array(let old), .array(let new)) where old.count == new.count:
      for index in old.indices where !old[index].isSame(as: new[index]) {
        path.append(.index(index))
        old[index].collectEdits(to: new[index], &path, &edits)
        path.removeLast()
      }
    case (.array(let old), .array(let new)):
      let (start, end) = Self.commonEnds(old, new)
      edits.append(
        ValueEdit(
          path,
          .splice(
            start: start, removed: old.count - start - end,
            inserted: Array(new[start..<new.count - end]))))
    default: edits.append(ValueEdit(path, .set(other)))
    }
  }

  /// How many elements two lists have in common at their beginnings, and how many after these at their
  /// ends.
  static func commonEnds(_ old: [Value], _ new: [Value]) -> (start: Int, end: Int) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start].isSame(as: new[start]) { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end].isSame(as: new[new.count - 1 - end]) {
      end += 1
    }
    return (start, end)
  }

  /// Applies an edit.
  ///
  /// - Returns: `false`, without a change, if there is nothing at the edit's path to change.
  package mutating func apply(_ edit: ValueEdit) -> Bool { apply(edit.change, edit.path[...]) }

  private mutating func apply(
    _ change: ValueEdit.Change, _ path: ArraySlice<ValueEdit.Key>
  ) -> Bool {
    guard let key = path.first else { return apply(change) }
    let rest = path.dropFirst()
    switch (key, self) {
    case (.field(let name), .object(var fields)):
      // Release the second reference, so that the object is changed in place.
      self = .null
      defer { self = .object(fields) }
      if rest.isEmpty {
        switch change {
        case .set(let value):
          fields[name] = value
          return true
        case .remove: return fields.removeValue(forKey: name) != nil
        case .splice: break
        }
      }
      guard let index = fields.index(forKey: name) else { return false }
      return fields.values[index].apply(change, rest)
    case (.index(let index), .array(var elements)):
      guard elements.indices.contains(index) else { return false }
      self = .null
      defer { self = .array(elements) }
      return elements[index].apply(change, rest)
    default: return false
    }
  }

  private mutating func apply(_ change: ValueEdit.Change) -> Bool {
    switch (change, self) {
    case (.set(let value), _):
      self = value
      return true
    case (.splice(let start, let removed, let inserted), .array(var elements)):
      guard start >= 0, removed >= 0, start <= elements.count, removed <= elements.count - start
      else { return false }
      self = .null
      elements.replaceSubrange(start..<start + removed, with: inserted)
      self = .array(elements)
      return true
    default: return false
    }
  }
}

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
  /// The differences of some instances to another moment, field by field.
  ///
  /// Instances are in the order of their numbers, and fields in the order of their names.
  package func changes(to other: AppMoment, of ids: Set<InstanceID>) -> [FieldChange] {
    var found: [FieldChange] = []
    for id in ids.sorted() {
      let (old, new) = (instances[id], other.instances[id])
      let node = new?.node ?? old?.node ?? ""
      func add(_ path: String, _ before: Value?, _ after: Value?) {
        if before != after {
          found.append(
            FieldChange(instance: id, node: node, path: path, before: before, after: after))
        }
      }
      guard let old, let new else {
        add("", old.map { $0.state.value ?? .null }, new.map { $0.state.value ?? .null })
        continue
      }
      add("(place)", .string(old.placeText), .string(new.placeText))
      add(
        "(tab)", old.selectedTab.map { .string($0) }, new.selectedTab.map { .string($0) })
      add("(arguments)", old.arguments, new.arguments)
      guard let before = old.state.value, let after = new.state.value else {
        add("", old.state.value, new.state.value)
        continue
      }
      before.collectChanges(to: after, "", add)
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
    if isSame(as: other) { return }
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
