@_spi(Host) internal import AppCore
internal import Navigation
internal import Support

/// The result of `appcore interface --compare` for two versions of a plugin's interface.
public struct InterfaceComparison: Sendable {
  package let old: PluginInterface
  package let new: PluginInterface
  /// The differences, in the order of the interface's text.
  public let differences: [InterfaceDifference]
  /// The part of the version that has to be raised.
  public let step: VersionStep
  /// The effect on an app's routes, if a manifest was given.
  public var impact: ManifestImpact?

  /// Compares two versions.
  public init(from old: PluginInterface, to new: PluginInterface) {
    self.old = old
    self.new = new
    differences = new.differences(from: old)
    step = VersionStep(for: differences)
  }

  /// 65 if something breaks, with a manifest only if the app breaks; otherwise 0.
  public var exitStatus: Int32 {
    let breaks = impact?.isBroken ?? differences.contains { $0.breaks != nil }
    return breaks ? 65 : 0
  }

  /// The comparison for people: a line for each difference, and the version that is suggested.
  public var text: String {
    var lines = ["\(old.name) \(old.version) → \(new.name) \(new.version)"]
    if differences.isEmpty { lines.append("  the interfaces are the same") }
    lines += differences.map { "  " + $0.text }
    lines.append(suggestion)
    lines += impact?.lines ?? []
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  /// The suggested version in words, and whether the new one has it.
  private var suggestion: String {
    guard let next = step.next(after: old.version) else {
      return "version: '\(old.version)' is not three numbers, such as 1.4.0; the step is "
        + step.rawValue
    }
    let kind = old.version.hasPrefix("0.") ? "\(step.rawValue), before 1.0" : step.rawValue
    switch step.isSaid(by: new.version, after: old.version) {
    case true?: return "version: \(next) or later (\(kind)), which \(new.version) is"
    case false? where differences.isEmpty && new.version == old.version:
      return "version: \(next) (\(kind)) for a change of the code alone"
    case false?: return "version: \(next) or later (\(kind)), which \(new.version) is not"
    case nil:
      return "version: \(next) or later (\(kind)); '\(new.version)' is not three numbers"
    }
  }

  /// The comparison for programs; docs/interfaces.md says what each field means.
  public var json: String {
    let tree: JSONTree = [
      "comparison": .int(PluginInterface.format), "plugin": .string(old.name),
      "old": .string(old.version), "new": .string(new.version), "step": .string(step.rawValue),
      "suggested": JSONTree(step.next(after: old.version)),
      "differences": .array(
        differences.map { difference in
          [
            "subject": .string(difference.subject), "change": .string(difference.change),
            "breaks": JSONTree(difference.breaks),
          ]
        }),
    ]
    return (impact.map { tree.adding([("manifest", $0.tree)]) } ?? tree).text
  }
}

/// A difference between two versions of a plugin's interface, and what it breaks.
public struct InterfaceDifference: Hashable, Sendable {
  /// What is different, such as `Shop.Detail argument id`.
  public let subject: String
  /// How, such as `was an integer, is now a string`.
  public let change: String
  /// What breaks, such as `routes that give it null`; `nil` if nothing does.
  public let breaks: String?

  /// The difference in one line, for people.
  package var text: String {
    "\(breaks.map { "breaking for \($0)" } ?? "compatible"): \(subject) \(change)"
  }
}

extension PluginInterface {
  /// The differences of this interface from an older one, in the order of its text.
  ///
  /// A difference breaks something if there is a manifest, with any other plugins, that has no
  /// errors with the older interface and has one with this. Version requirements are ignored: they
  /// are the manifest's own decision.
  public func differences(from old: PluginInterface) -> [InterfaceDifference] {
    guard name == old.name else {
      return [
        InterfaceDifference(
          subject: "plugin \(old.name)", change: "is named '\(name)' now",
          breaks: "manifests that list it")
      ]
    }
    var differences: [InterfaceDifference] = []
    func add(_ subject: String, _ change: String, breaks: String? = nil) {
      differences.append(
        InterfaceDifference(subject: subject, change: change, breaks: breaks))
    }
    func add(
      _ parts: [InterfaceDifference], _ subject: String, whole: String, joint: String = " "
    ) {
      for part in parts {
        add(
          part.subject.isEmpty ? whole : subject + joint + part.subject, part.change,
          breaks: part.breaks)
      }
    }
    add(
      SchemaComparison.differences(
        from: old.info.configuration, to: info.configuration, for: .configured),
      "configuration", whole: "configuration")
    let former = old.info.features.keyed(by: \.name)
    let own = info.features.keyed(by: \.name)
    for name in Set(former.keys).union(own.keys).sorted() {
      let (before, after) = (former[name], own[name])
      // No manifest can have used it.
      let wasUsed = before.map { $0.defect == nil } ?? false
      guard let before, let after, wasUsed, after.defect == nil else {
        switch (before, after) {
        case (nil, _): add(name, "is new")
        case (_, nil): add(name, "is gone", breaks: wasUsed ? "nodes that use it" : nil)
        case (_, let after?) where wasUsed:
          add(name, "can't be used: \(after.defect ?? "")", breaks: "nodes that use it")
        case (let before?, let after?) where before != after: add(name, "is different")
        default: break
        }
        continue
      }
      add(
        after.argumentChanges(from: before), "\(name) argument", whole: "\(name) arguments")
      Self.compare(before.delegates, after.delegates) { delegate, before, after in
        let subject = "\(name) delegate \(delegate)"
        switch (before, after) {
        case (_, nil): add(subject, "is gone", breaks: "routes that handle it")
        case (nil, _):
          add(subject, "is new", breaks: "manifests that use '\(name)' and have no route for it")
        case (let before?, let after?):
          add(
            SchemaComparison.differences(
              from: before.payload ?? .object([]), to: after.payload ?? .object([]), for: .given),
            subject, whole: subject, joint: ".")
        }
      }
      Self.compare(before.inputs, after.inputs) { input, before, after in
        let subject = "\(name) input \(input)"
        switch (before, after) {
        case (_, nil): add(subject, "is gone", breaks: "routes that notify it")
        case (nil, _):
          add(
            subject, "is new",
            breaks: "routes that notify 'current', 'presenter' or 'opener' of the input "
              + "'\(input)' that other features have")
        case (let before?, let after?):
          add(after.inputChanges(from: before), subject, whole: subject, joint: ".")
        }
      }
    }
    return differences
  }

  /// Goes through the cases of both versions, in the order of their names.
  private static func compare(
    _ old: [CaseSchema], _ new: [CaseSchema],
    _ body: (_ name: String, _ old: CaseSchema?, _ new: CaseSchema?) -> Void
  ) {
    let (old, new) = (old.keyed(by: \.name), new.keyed(by: \.name))
    for name in Set(old.keys).union(new.keys).sorted() { body(name, old[name], new[name]) }
  }
}

extension FeatureInfo {
  /// The changes of the arguments; a node can give some of them only if they are an object.
  fileprivate func argumentChanges(from old: FeatureInfo) -> [InterfaceDifference] {
    let changes = SchemaComparison.differences(from: old.arguments, to: arguments, for: .taken)
    guard !changes.contains(where: { $0.breaks != nil }), case .object(let fields) = old.arguments,
      fields.contains(where: \.isRequired), case .optional(let wrapped) = arguments,
      case .object = wrapped
    else { return changes }
    return changes + [
      InterfaceDifference(
        subject: "", change: "may be null as a whole",
        breaks: "nodes that give a part of it, where a route gives the rest")
    ]
  }
}

extension CaseSchema {
  /// The changes of an input's payload; only an object may be left out as a whole.
  fileprivate func inputChanges(from old: CaseSchema) -> [InterfaceDifference] {
    let (before, after) = (old.payload ?? .object([]), payload ?? .object([]))
    let changes = SchemaComparison.differences(from: before, to: after, for: .taken)
    guard case .object(let fields) = before, !fields.contains(where: \.isRequired) else {
      return changes
    }
    if case .object = after { return changes }
    guard !changes.contains(where: { $0.breaks != nil }) else { return changes }
    return changes + [
      InterfaceDifference(
        subject: "", change: "has to be given", breaks: "routes that notify it without 'with'")
    ]
  }
}

/// The part of a version that has to be raised, by Semantic Versioning.
public enum VersionStep: String, Hashable, Sendable {
  case patch
  case minor
  case major

  public init(for differences: [InterfaceDifference]) {
    self =
      differences.contains { $0.breaks != nil } ? .major : differences.isEmpty ? .patch : .minor
  }

  /// The version one step after `version`; `nil` if that is not three numbers.
  ///
  /// Before `1.0.0` a breaking change raises the second number, and any other change the third.
  public func next(after version: String) -> String? {
    guard let numbers = Self.numbers(of: version) else { return nil }
    let (major, minor, patch) = numbers
    return switch (self, major) {
    case (.major, 1...): "\(major + 1).0.0"
    case (.minor, 1...), (.major, _): "\(major).\(minor + 1).0"
    default: "\(major).\(minor).\(patch + 1)"
    }
  }

  /// Whether the step from one version to another is at least this one; `nil` if one of them is not
  /// three numbers.
  public func isSaid(by new: String, after old: String) -> Bool? {
    guard let due = next(after: old).flatMap(Self.numbers), let given = Self.numbers(of: new) else {
      return nil
    }
    return given >= due
  }

  private static func numbers(of version: String) -> (Int, Int, Int)? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    // So that adding one never overflows.
    guard numbers.count == 3, parts.count == 3, numbers.allSatisfy({ $0 < 1 << 32 }) else {
      return nil
    }
    return (numbers[0], numbers[1], numbers[2])
  }
}
