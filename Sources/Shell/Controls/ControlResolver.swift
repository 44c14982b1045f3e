@_spi(Host) internal import AppCore
internal import Support

/// Finds the control that a line names, and converts the line's value to the control's input.
struct ControlResolver {
  let index: ControlIndex
  /// The screen to whose controls numbers refer.
  let shown: ShownScreen
  /// Whether the user may be asked for a missing value.
  let canAsk: Bool

  /// Resolves `line`, which must not be a command or the start of a text of several lines.
  func resolve(_ line: Line) throws(Rejection) -> Intent {
    switch line {
    case .nothing, .command: throw noSuchLabel(nil)
    case .number(let number, let value, let text):
      try checkIsNoLabel(number, hasValue: value != nil, text)
      return try press(number, value: value)
    case .identifier(let id, let value):
      if let list = index.selectable(id) { return .activate(try list.selecting(value)) }
      return try input(identifier(id), value)
    case .label(let label, let value):
      return try input(self.label(label), value)
    }
  }

  /// Resolves a press of the control with a number, even if the number is also a label.
  func press(_ number: Int, value: LineValue? = nil) throws(Rejection) -> Intent {
    guard number >= 1, number <= shown.controls.count else {
      let highest = shown.controls.count
      throw Rejection(
        .noSuchControl,
        // The parser turns a number that does not fit in `Int` into the largest one.
        (number == .max
          ? "there is no control of so large a number" : "there is no control \(number)")
          + (highest == 0 ? ": this screen has none" : "; they run from 1 to \(highest)"))
    }
    let control = shown.controls[number - 1]
    guard let target = index.target(control.identity, near: control.position) else {
      throw .stale(control.reference, screen: shown.number)
    }
    return try input(target, value)
  }

  func answer(_ prompt: Prompt, _ text: String) throws(Rejection) -> Intent {
    guard let target = index.target(prompt.identity, near: nil) else {
      throw .stale(
        ControlReference(number: nil, label: prompt.question, id: nil), screen: prompt.screen)
    }
    return try input(target, .text(text))
  }

  private func input(
    _ target: ControlTarget, _ value: LineValue?
  ) throws(Rejection) -> Intent {
    let reference = reference(target)
    let reader = ValueParser(target: target, reference: reference)
    if let activation = try reader.activation(value) { return .activate(activation) }
    guard canAsk else {
      throw Rejection(.valueMissing, "\(reference.name) needs a value: \(reader.expected)")
    }
    return .prompt(
      Prompt(
        question: SafeText.line(target.label) + reader.hint, isSecret: target.isSecret,
        identity: target.identity, screen: shown.number))
  }

  private func identifier(_ id: String) throws(Rejection) -> ControlTarget {
    let targets = index.targets(id: id)
    guard let target = targets.first else {
      let nearest = NearestName.meant(by: id, among: index.names(\.id) + index.selectableIDs)
      throw Rejection(
        .noSuchControl,
        "no control has the identifier '\(Scanner.line(identifier: id).quoted)'"
          + (nearest.map { "; did you mean '\(Scanner.line(identifier: $0).quoted)'?" } ?? ""))
    }
    guard targets.count == 1 else {
      throw Rejection(
        .ambiguousID,
        "'\(Scanner.line(identifier: id).quoted)' is the identifier of "
          + "\(ControlReference.list(targets.map(reference))); write the number")
    }
    return target
  }

  private func label(_ label: String) throws(Rejection) -> ControlTarget {
    let targets = index.targets(label: label)
    guard let target = targets.first else {
      throw noSuchLabel(label)
    }
    guard targets.count == 1 else {
      throw Rejection(
        .ambiguousLabel,
        "'\(label.quoted)' is the label of \(ControlReference.list(targets.map(reference))); "
          + "write the number or '@ID'")
    }
    return target
  }

  private func noSuchLabel(_ label: String?) -> Rejection {
    // The grammar reads 'Pasword hunter2' as a label: with a secret field, nothing is quoted.
    let shown = index.hasSecret ? nil : label
    return Rejection(
      .noSuchControl,
      (shown.map { "no control is called '\($0.quoted)'" } ?? "no control is called that")
        + (label.flatMap(guess).map { "; did you mean '\($0.quoted)'? A" } ?? "; a")
        + " value is written 'LABEL = VALUE', a command begins with ':'")
  }

  /// The label that is most similar to `label`, or a label that is its first words.
  private func guess(_ label: String) -> String? {
    let names = index.names(\.label)
    if let nearest = NearestName.meant(by: label, among: names) { return nearest }
    let written = ControlIndex.folded(label)
    return names.first { name in
      let name = ControlIndex.folded(name)
      return !name.isEmpty && written.hasPrefix(name + " ")
    }
  }

  /// Rejects a line that begins with a number, if it is also the label of another control.
  ///
  /// Of lists, only the printed rows count: a user who types a number refers to what is visible,
  /// and searching a long list would make every line slow.
  private func checkIsNoLabel(_ number: Int, hasValue: Bool, _ text: String) throws(Rejection) {
    var labels = [text]
    if let equals = Scanner.firstRange(of: " = ", in: text[...]) {
      labels.append(String(text[..<equals.lowerBound]))
    }
    let own =
      shown.controls.indices.contains(number - 1)
      ? shown.controls[number - 1].identity : nil
    for label in labels {
      let wanted = FoldedLabel(label)
      let others =
        index.controls.filter { $0.identity != own && wanted.matches($0.label) }.map(reference)
        + shown.controls.filter {
          $0.position != nil && $0.identity != own && wanted.matches($0.label)
        }.map(\.reference)
      guard others.isEmpty else {
        throw Rejection(
          .ambiguousNumber,
          "'\(label.quoted)' begins with a number, and is also the label of "
            + ControlReference.list(others)
            + (hasValue
              ? "; write the value in double quotes for the number, "
              : "; write ':press \(number)' for the number, ")
            + "'\(JSONTree.quote(label).quoted)' for the label")
      }
    }
  }

  private func reference(_ target: ControlTarget) -> ControlReference {
    let number = shown.numbers[target.identity]
    return ControlReference(number: number, label: target.label, id: target.id)
  }
}

extension ControlTarget {
  /// The intent to give the control a value, or to press it without one.
  package func intent(giving value: LineValue?) -> Intent {
    let reference = ControlReference(number: nil, label: label, id: id)
    let reader = ValueParser(target: self, reference: reference)
    do throws(Rejection) {
      return try reader.activation(value).map(Intent.activate) ?? .nothing
    } catch {
      return .refused(error)
    }
  }

  /// The line that gives the control a value, for the log.
  package func line(giving text: String?) -> String {
    (id.map(Scanner.line(identifier:)) ?? JSONTree.quote(label))
      + (text.map { " = " + JSONTree.quote($0) } ?? "")
  }
}

/// A label to compare with many others, ignoring case and surrounding spaces.
struct FoldedLabel {
  private let folded: String
  /// The bytes of `folded` if it is ASCII.
  private let ascii: [UInt8]?

  init(_ label: String) {
    folded = ControlIndex.folded(label)
    let bytes = Array(folded.utf8)
    ascii = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  /// Whether the label is equal; only one with other letters has to be folded to tell, since some
  /// of them fold to ASCII, as the Kelvin sign does.
  func matches(_ label: String) -> Bool {
    guard let ascii, label.utf8.allSatisfy({ $0 < 0x80 }) else {
      return ControlIndex.folded(label) == folded
    }
    return Scanner.trim(label[...]).utf8.elementsEqual(ascii) {
      ((0x41...0x5a).contains($0) ? $0 | 0x20 : $0) == $1
    }
  }
}
