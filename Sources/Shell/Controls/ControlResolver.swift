@_spi(Host) internal import AppCore
internal import Support

/// Finds the control that a line names, and converts the line's value to the control's input.
struct ControlResolver {
  /// The current screen.
  let index: ControlIndex
  /// The screen to whose controls numbers refer.
  let shown: ShownScreen
  /// Whether the user may be asked for a missing value.
  let canAsk: Bool

  /// Resolves `line`, which must not be a command or the start of a text of several lines.
  func resolve(_ line: Line) throws(Rejection) -> Resolution {
    switch line {
    case .nothing, .command: throw .noSuchLabel(nil, nearest: nil)
    case .number(let number, let value, let text):
      try checkIsNoLabel(number, hasValue: value != nil, text)
      return try press(number, value: value)
    case .identifier(let id, let value):
      return try input(identifier(id), value)
    case .label(let label, let value):
      return try input(self.label(label), value)
    }
  }

  /// Resolves a press of the control with a number, even if the number is also a label.
  func press(_ number: Int, value: LineValue? = nil) throws(Rejection) -> Resolution {
    guard number >= 1, number <= shown.controls.count else {
      throw .noSuchControl(number: number, highest: shown.controls.count)
    }
    let control = shown.controls[number - 1]
    guard let target = index.target(control.identity, near: control.position) else {
      throw .stale(control.reference, screen: shown.number)
    }
    return try input(target, value)
  }

  /// Resolves an answer to a prompt.
  func answer(_ prompt: Prompt, _ text: String) throws(Rejection) -> Resolution {
    guard let target = index.target(prompt.identity, near: nil) else {
      throw .stale(
        ControlReference(number: nil, label: prompt.question, id: nil), screen: prompt.screen)
    }
    return try input(target, .text(text))
  }

  private func input(
    _ target: ControlTarget, _ value: LineValue?
  ) throws(Rejection) -> Resolution {
    let reference = reference(target)
    guard target.isEnabled else { throw .disabled(reference) }
    let reader = ValueParser(target: target, reference: reference)
    if let input = try reader.input(value) {
      return .activate(
        Activation(
          control: target.index, input: input, label: target.label, isSecret: target.isSecret,
          identity: target.identity))
    }
    guard canAsk else { throw .valueMissing(reference, expected: reader.expected) }
    return .prompt(
      Prompt(
        question: SafeText.line(target.label) + reader.hint, isSecret: target.isSecret,
        identity: target.identity, screen: shown.number))
  }

  private func identifier(_ id: String) throws(Rejection) -> ControlTarget {
    let targets = index.targets(id: id)
    guard let target = targets.first else {
      throw .noSuchIdentifier(id, nearest: Nearest.of(id, in: index.names(\.id)))
    }
    guard targets.count == 1 else {
      throw .ambiguousIdentifier(id, matches: targets.map(reference))
    }
    return target
  }

  private func label(_ label: String) throws(Rejection) -> ControlTarget {
    let targets = index.targets(label: label)
    guard let target = targets.first else {
      // The grammar reads 'Pasword hunter2' as a label: with a secret field, nothing is quoted.
      throw .noSuchLabel(index.hasSecret ? nil : label, nearest: guess(label))
    }
    guard targets.count == 1 else {
      throw .ambiguousLabel(label, matches: targets.map(reference))
    }
    return target
  }

  /// The label that is most similar to `label`, or a label that is its first words.
  private func guess(_ label: String) -> String? {
    let names = index.names(\.label)
    if let nearest = Nearest.of(label, in: names) { return nearest }
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
        throw .numberIsLabel(number: number, line: label, hasValue: hasValue, matches: others)
      }
    }
  }

  private func reference(_ target: ControlTarget) -> ControlReference {
    let number = shown.numbers[target.identity]
    return ControlReference(number: number, label: target.label, id: target.id)
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

  func matches(_ label: String) -> Bool {
    if let ascii, let isEqual = Self.compare(label, ascii) { return isEqual }
    return ControlIndex.folded(label) == folded
  }

  /// Whether the label equals these bytes, ignoring case; `nil` if only a full comparison can tell:
  /// some other letters fold to ASCII, as the Kelvin sign does, and surrounding spaces don't count.
  private static func compare(_ label: String, _ wanted: [UInt8]) -> Bool? {
    var position = 0
    var isEqual = true
    var previous: UInt8 = 0x20
    for byte in label.utf8 {
      let isSpace = byte == 0x20 || byte == 0x09
      if byte >= 0x80 || isSpace && position == 0 { return nil }
      let lower = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
      if isEqual { isEqual = position < wanted.count && lower == wanted[position] }
      position += 1
      previous = byte
    }
    if position > 0, previous == 0x20 || previous == 0x09 { return nil }
    return isEqual && position == wanted.count
  }
}
