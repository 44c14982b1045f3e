@_spi(Host) internal import AppCore
internal import Navigation

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
    let (former, own) = (old.features, self.features)
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

  private var features: [String: FeatureInfo] {
    Dictionary(info.features.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Goes through the cases of both versions, in the order of their names.
  private static func compare(
    _ old: [CaseSchema], _ new: [CaseSchema],
    _ body: (_ name: String, _ old: CaseSchema?, _ new: CaseSchema?) -> Void
  ) {
    func byName(_ cases: [CaseSchema]) -> [String: CaseSchema] {
      Dictionary(cases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (old, new) = (byName(old), byName(new))
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
