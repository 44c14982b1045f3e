internal import AppCore
package import Navigation
internal import Support

/// The instances of an app and its waiting link at one moment.
///
/// An image holds the last moment of an app, a keyframe that of a step.
public struct AppMoment: Hashable, Sendable {
  /// The instances, by their identifiers in the app.
  package var instances: [InstanceID: SavedInstance] = [:]
  /// The address of the waiting link; `nil` if there is none.
  package var waitingLink: String?
  /// The instances of which a secret is left out.
  package var redacted: Set<InstanceID> = []

  package init() {}

  package init(_ instances: some Sequence<SavedInstance>) {
    for instance in instances { self.instances[instance.id] = instance }
  }

  /// The change that turns an empty moment into this one.
  package var whole: StateChange {
    var change = StateChange()
    change.instances = instances.values.sorted { $0.id < $1.id }.map { .whole($0) }
    change.waitingLink = waitingLink.map { .some($0) }
    change.redacted = redacted
    return change
  }

  /// Applies a change.
  ///
  /// - Returns: why it can't be applied, after which the moment is unusable; `nil` on success.
  package mutating func apply(_ change: StateChange) -> String? {
    for id in change.removed {
      instances[id] = nil
      redacted.remove(id)
    }
    if !redacted.isEmpty || !change.redacted.isEmpty {
      redacted.subtract(change.instances.map(\.id))
      redacted.formUnion(change.redacted)
    }
    if instances.isEmpty { instances.reserveCapacity(change.instances.count) }
    for change in change.instances {
      switch change {
      case .whole(let instance): instances[instance.id] = instance
      case .state(let id, let edits):
        guard let index = instances.index(forKey: id) else {
          return "it changes the instance \(id), which does not exist"
        }
        guard case .value(var value) = instances.values[index].state else {
          return "it changes a state of the instance \(id), which has none"
        }
        // Release the second reference, so that the state is changed in place.
        instances.values[index].state = .container
        let failed = edits.first { !value.apply($0) }
        instances.values[index].state = .value(value)
        if let failed {
          return "it changes '\(failed.pathText)' of the instance \(id), which does not exist"
        }
      }
    }
    if let link = change.waitingLink { waitingLink = link }
    return nil
  }
}

public struct StateChange: Hashable, Sendable {
  package enum Instance: Hashable, Sendable {
    /// The instance is new, or more than its state has changed; this is all of it.
    case whole(SavedInstance)
    /// Only the state of this instance has changed.
    case state(InstanceID, [ValueEdit])

    package var id: InstanceID {
      switch self {
      case .whole(let instance): instance.id
      case .state(let id, _): id
      }
    }
  }

  package var instances: [Instance] = []
  package var removed: [InstanceID] = []
  /// The new waiting link; `.some(nil)` if there is none any more, `nil` if it has not changed.
  package var waitingLink: String??
  /// The instances in ``instances`` of which a secret is left out.
  package var redacted: Set<InstanceID> = []

  package init() {}

  package var isEmpty: Bool { instances.isEmpty && removed.isEmpty && waitingLink == nil }

  /// The instances of which this is all.
  package var wholeInstances: some Sequence<SavedInstance> {
    instances.lazy.compactMap { if case .whole(let instance) = $0 { instance } else { nil } }
  }

  package var ids: Set<InstanceID> { Set(instances.map(\.id)).union(removed) }
}

// The form in images and recordings.
extension StateChange {
  var fields: [String: Value] {
    var fields: [String: Value] = [:]
    if !instances.isEmpty { fields["c"] = .array(instances.map(\.value)) }
    if !removed.isEmpty { fields["g"] = .array(removed.map(\.value)) }
    if let waitingLink { fields["w"] = waitingLink.map { .string($0) } ?? .null }
    if !redacted.isEmpty { fields["u"] = .array(redacted.sorted().map(\.value)) }
    return fields
  }

  init(_ fields: [String: Value]) throws(Rejection) {
    instances = try fields.optional("c", "a list of instances", or: []) { $0.list(Instance.init) }
    removed = try fields.optional("g", "a list of instances", or: []) { $0.instances }
    redacted = Set(try fields.optional("u", "a list of instances", or: []) { $0.instances })
    waitingLink = try fields.optional("w", "a link", or: nil) { link -> String??? in
      link == .null ? .some(.some(nil)) : link.text.map { .some(.some($0)) }
    }
  }
}

extension StateChange.Instance {
  fileprivate var value: Value {
    switch self {
    case .whole(let instance): instance.value
    case .state(let id, let edits): ["i": id.value, "d": .array(edits.map(\.value))]
    }
  }

  fileprivate init?(_ value: Value) {
    guard let edits = value["d"] else {
      guard let instance = SavedInstance(value) else { return nil }
      self = .whole(instance)
      return
    }
    guard let id = value["i"]?.instance, let edits = edits.list(ValueEdit.init) else { return nil }
    self = .state(id, edits)
  }
}
