@_spi(Host) package import AppCore

/// A step of a timeline: an action that the root store has reduced, with what it changed.
package struct RecordedStep: Hashable, Sendable {
  /// Where an action came from.
  package enum Origin: String, Hashable, Sendable {
    /// A control of a screen: a view action.
    case screen
    /// The feature's own effects: an internal action.
    case effect
    /// The feature, which reports it to the graph: a delegate action.
    case delegate
    /// A route of another feature's delegate action: an input action.
    case route
    /// The app itself, or a command that navigates.
    case navigation
    /// A component of the feature.
    case component
  }

  /// A line of input that led to a step.
  package struct Line: Hashable, Sendable {
    /// The line as it was typed, without secrets.
    package var text: String
    /// Its number in a script, counted from 1; `nil` for a line that a person typed.
    package var number: Int?
    /// The equivalent lines of a script; `nil` if none can be written, as for a secret.
    package var script: [String]?

    package init(_ text: String, number: Int? = nil, script: [String]? = nil) {
      self.text = text
      self.number = number
      self.script = script
    }

    /// The lines to write in a script; a comment if there are none that repeat the line.
    package var scriptLines: [String] {
      script ?? ["# write here what was typed, which is not recorded: \(text)"]
    }
  }

  /// Its number, counted from 1.
  package var number: Int
  /// When it began, in microseconds since the app began.
  package var time: Int
  /// How long its reduction took, including the navigation that it caused, in nanoseconds.
  package var duration: Int
  /// The lines that were typed since the previous step; the last one led to this step.
  package var lines: [Line] = []
  package var origin: Origin
  /// The node of the action's instance; `nil` for an action of the app.
  package var node: String?
  /// The number of the action's instance; `nil` for an action of the app.
  package var instance: UInt64?
  /// The action as text for people.
  package var text: String
  /// The action in structural form; `nil` if it has none.
  package var action: Value?
  /// Whether the action contained a secret, which is left out.
  package var hasSecret = false
  /// The dates, unique ids and random numbers that its reducer read.
  package var readings: [DependencyTape.Reading] = []
  /// Whether shared values have changed outside of reducers since the previous step, such as by an
  /// effect or in a file.
  package var sharesNews = false
  /// A digest of the new and changed instances, of the numbers of the removed ones, and of the
  /// waiting link.
  package var digest: UInt64 = 0
  /// What it changed.
  package var change = StateChange()
  /// How many steps before it were dropped because they came faster than they could be encoded.
  package var skipped = 0
  /// The app's manifest and plugins from this step on; `nil` if they have not changed.
  package var build: RecordingHeader?
  /// Whether its line was edited after it was written, according to the line's checksum.
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

  /// The lines to type to repeat the step: without the last one if it navigated and nothing changed,
  /// because it may have been refused, as `:back` is in the root.
  package var repeatableLines: [Line] {
    origin == .navigation && change.isEmpty ? lines.dropLast() : lines
  }

  /// The line that led to the step; `nil` if no line was typed since the previous one.
  package var line: Line? { lines.last }

  /// The case of the action, such as `view.addTapped`, by which steps can be grouped.
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

  /// The number of its instance as text, such as `3.0`.
  package var instanceText: String? { instance.map(InstanceNumber.text) }
}

/// The changes that one step makes to the app.
package struct StateChange: Hashable, Sendable {
  /// How an instance has changed.
  package enum Instance: Hashable, Sendable {
    /// The instance is new, or more than its state has changed; this is all of it.
    case whole(SavedInstance)
    /// Only the state of the instance with this number has changed.
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
  /// The numbers of the removed instances.
  package var removed: [UInt64] = []
  /// The new waiting link; `.some(nil)` if there is none any more, `nil` if it has not changed.
  package var waitingLink: String??
  /// The numbers of the instances in ``instances`` of which a secret is left out.
  package var redacted: Set<UInt64> = []

  package init() {}

  package var isEmpty: Bool { instances.isEmpty && removed.isEmpty && waitingLink == nil }
}

/// The app after one step: its instances and the waiting link.
package struct AppMoment: Hashable, Sendable {
  /// The instances, by their numbers.
  package var instances: [UInt64: SavedInstance] = [:]
  /// The address of the waiting link; `nil` if there is none.
  package var waitingLink: String?
  /// The numbers of the instances of which a secret is left out.
  package var redacted: Set<UInt64> = []

  package init() {}

  /// Applies the changes of a step.
  ///
  /// - Returns: why they can't be applied, after which the moment is unusable; `nil` on success.
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
        // Release the second reference, so that the state is changed in place.
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

/// Converts the numbers of instances to text and back: the slot, a dot and the generation.
package enum InstanceNumber {
  /// The text of a number, such as `3.0`.
  package static func text(_ number: UInt64) -> String {
    "\(number >> 32).\(number & 0xffff_ffff)"
  }

  /// The limit of slots: a damaged recording must not allocate memory for billions of them.
  private static let slotLimit: UInt32 = 1 << 20

  /// The number with a text; `nil` if the text is malformed or its slot is too large.
  package static func number(_ text: some StringProtocol) -> UInt64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let slot = UInt32(parts[0]), let generation = UInt32(parts[1]),
      slot < slotLimit
    else { return nil }
    return UInt64(slot) << 32 | UInt64(generation)
  }
}
