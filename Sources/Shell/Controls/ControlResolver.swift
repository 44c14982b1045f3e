@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Support

/// Finds the control that a line means and makes its input.
struct ControlResolver {
  /// The current screen.
  let index: ControlIndex
  /// The screen that the line's author saw.
  let shown: ShownScreen
  /// Whether a value that is missing may be asked for.
  let canAsk: Bool

  /// What `line` comes to; it must be no command and have no lines to come.
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

  /// What pressing the number comes to, whatever labels there are.
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

  /// What an answer to a prompt comes to.
  func answer(_ prompt: Prompt, _ text: String) throws(Rejection) -> Resolution {
    guard let target = index.target(prompt.identity, near: prompt.position) else {
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
    let reader = ValueReader(target: target, reference: reference)
    if let input = try reader.input(value) {
      return .activate(
        Activation(
          control: target.index, input: input, label: target.label, isSecret: target.isSecret))
    }
    guard canAsk else { throw .valueMissing(reference, expected: reader.expected) }
    return .prompt(
      Prompt(
        question: SafeText.line(target.label) + reader.hint, isSecret: target.isSecret,
        identity: target.identity, position: nil, screen: shown.number))
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
      // 'Pasword hunter2' is a label to the grammar: with a secret about, nothing is quoted.
      throw .noSuchLabel(index.hasSecret ? nil : label, nearest: guess(label))
    }
    guard targets.count == 1 else {
      throw .ambiguousLabel(label, matches: targets.map(reference))
    }
    return target
  }

  /// The label that is most like `label`, or that `label` begins with.
  private func guess(_ label: String) -> String? {
    let names = index.names(\.label)
    if let nearest = Nearest.of(label, in: names) { return nearest }
    let written = ControlIndex.folded(label)
    return names.first { name in
      let name = ControlIndex.folded(name)
      return !name.isEmpty && written.hasPrefix(name + " ")
    }
  }

  /// Refuses a line that is a number, or begins with one, and is another control's label too.
  ///
  /// Of lists, the rows that are printed count: who types a number goes by what is in sight, and
  /// looking through a long list would make its every line slow.
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

/// A label to be compared with many, ignoring case and the spaces around it.
struct FoldedLabel {
  private let folded: String
  /// The same in bytes, where it is plain ASCII.
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

  /// Whether the label is these bytes but for case; `nil` if that takes a closer look: letters
  /// beyond ASCII may become ASCII, as the Kelvin sign does, and spaces at the ends don't count.
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
