@_spi(Host) package import AppCore
package import Sessions

/// One action of the root store that was reduced, with what it changed: a step of a timeline.
package struct RecordedStep: Hashable, Sendable {
  /// Where an action came from.
  package enum Origin: String, Hashable, Sendable {
    /// A control of a screen: a view action.
    case screen
    /// The feature's own effects: an internal action.
    case effect
    /// The feature, for the graph: a delegate action.
    case delegate
    /// A route, from another feature's delegate action: an input action.
    case route
    /// The app itself or a command that navigates.
    case navigation
    /// A component of the feature.
    case component
  }

  /// The line that led to a step.
  package struct Line: Hashable, Sendable {
    /// As it was typed, without secrets.
    package var text: String
    /// Its number in a script, from 1; `nil` for what a person typed.
    package var number: Int?
    /// The lines of a script that do the same; `nil` where a secret was typed.
    package var script: [String]?

    package init(_ text: String, number: Int? = nil, script: [String]? = nil) {
      self.text = text
      self.number = number
      self.script = script
    }

    /// What a script has for it: where a secret was typed, a comment.
    package var scriptLines: [String] {
      script ?? ["# write here what was typed as a secret: \(text)"]
    }
  }

  /// Its number, from 1.
  package var number: Int
  /// How long after the beginning it began, in microseconds.
  package var time: Int
  /// How long it took to be reduced, with the navigation that it caused; in nanoseconds.
  package var duration: Int
  /// The lines that were typed since the step before, the last of which led to this one.
  package var lines: [Line] = []
  package var origin: Origin
  /// The node of the action's instance; `nil` for what concerns the app.
  package var node: String?
  /// The number of the action's instance; `nil` for what concerns the app.
  package var instance: UInt64?
  /// The action for people to read.
  package var text: String
  /// The action in structural form; `nil` where it has none.
  package var action: Value?
  /// Whether the action had a secret in it, which is left out.
  package var hasSecret = false
  /// What its reducer read of the date, of unique ids and of random numbers.
  package var readings: [DependencyTape.Reading] = []
  /// Whether shared values were changed outside of reducers since the step before: by an effect, in a
  /// file.
  package var sharesNews = false
  /// A digest of what it changed: of each instance that is new or has changed, and of which are gone.
  package var digest: UInt64 = 0
  /// What it changed.
  package var change = StateChange()
  /// How many steps before it were not kept: they came faster than they could be written.
  package var skipped = 0
  /// What the app is made of from this step on, where that is something else than before.
  package var build: RecordingHeader?
  /// Whether its line was edited after it was written, by its seal.
  package var isAltered = false

  package init(
    number: Int, time: Int = 0, duration: Int = 0, origin: Origin, node: String? = nil,
    instance: UInt64? = nil, text: String, action: Value? = nil
  ) {
    self.number = number
    self.time = time
    self.duration = duration
    self.origin = origin
    self.node = node
    self.instance = instance
    self.text = text
    self.action = action
  }

  /// The line that led to it.
  package var line: Line? { lines.last }

  /// The case of the action, such as `view.addTapped`: what steps may be sorted by.
  package var kind: String {
    var parts: [Substring] = []
    var rest = text[...]
    while parts.count < 2, rest.first == "." {
      let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !name.isEmpty else { break }
      parts.append(name)
      rest = rest[name.endIndex...]
      guard rest.first == "(" else { break }
      rest = rest.dropFirst()
    }
    return parts.isEmpty ? text : parts.joined(separator: ".")
  }

  /// Its instance as people see it, such as `3.0`.
  package var instanceText: String? { instance.map(InstanceNumber.text) }
}

/// What changes from one step to the next.
package struct StateChange: Hashable, Sendable {
  /// How an instance has changed.
  package enum Instance: Hashable, Sendable {
    /// It is new, or stands elsewhere: all of it.
    case whole(SavedInstance)
    /// Its state alone has changed.
    case state(UInt64, [ValueEdit])

    /// The instance's number.
    package var id: UInt64 {
      switch self {
      case .whole(let instance): instance.id
      case .state(let id, _): id
      }
    }
  }

  package var instances: [Instance] = []
  /// The numbers of the instances that are gone.
  package var removed: [UInt64] = []
  /// The link that waits; `.some(nil)` where none does any more.
  package var waitingLink: String??
  /// The numbers of those among ``instances`` of which a secret is left out.
  package var redacted: Set<UInt64> = []

  package init() {}

  package var isEmpty: Bool { instances.isEmpty && removed.isEmpty && waitingLink == nil }
}

/// The app at one step: its instances and the link that waits.
package struct AppMoment: Hashable, Sendable {
  package var instances: [UInt64: SavedInstance] = [:]
  package var waitingLink: String?
  /// The numbers of the instances of which a secret is left out.
  package var redacted: Set<UInt64> = []

  package init() {}

  /// Applies what a step has changed.
  ///
  /// - Returns: why it can't be applied; `nil` where it is.
  package mutating func apply(_ change: StateChange) -> String? {
    for id in change.removed {
      instances[id] = nil
      redacted.remove(id)
    }
    if !redacted.isEmpty || !change.redacted.isEmpty {
      redacted.subtract(change.instances.map(\.id))
      redacted.formUnion(change.redacted)
    }
    for change in change.instances {
      switch change {
      case .whole(let instance): instances[instance.id] = instance
      case .state(let id, let edits):
        guard let index = instances.index(forKey: id) else {
          return "it changes the instance \(InstanceNumber.text(id)), which does not exist"
        }
        guard case .value(var value) = instances.values[index].state else {
          return "it changes a state of the instance \(InstanceNumber.text(id)), which has none"
        }
        // Held once, so that it is changed in place.
        instances.values[index] = instances.values[index].with(.container)
        let failed = edits.first { !value.apply($0) }
        instances.values[index] = instances.values[index].with(.value(value))
        if let failed {
          return "it changes '\(failed.pathText)' of the instance \(InstanceNumber.text(id)), "
            + "which does not exist"
        }
      }
    }
    if let link = change.waitingLink { waitingLink = link }
    return nil
  }
}

/// Numbers of instances as people see them: the slot and its generation.
package enum InstanceNumber {
  package static func text(_ number: UInt64) -> String {
    "\(number >> 32).\(number & 0xffff_ffff)"
  }

  /// Slots are not numbered higher; a recording that says so would have room made for all below.
  private static let slotLimit: UInt32 = 1 << 20

  package static func number(_ text: some StringProtocol) -> UInt64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let slot = UInt32(parts[0]), let generation = UInt32(parts[1]),
      slot < slotLimit
    else { return nil }
    return UInt64(slot) << 32 | UInt64(generation)
  }
}
