/// Adds elements to a screen, from top to bottom.
public struct ScreenBuilder<Action: FeatureAction> {
  var elements: [ScreenElement] = []
  var responses: [Screen<Action>.Respond] = []

  init(responses: [Screen<Action>.Respond] = []) { self.responses = responses }

  /// Adds a heading.
  public mutating func heading(_ text: String) { elements.append(.heading(text)) }

  /// Adds a paragraph, wrapped to the width.
  public mutating func text(_ text: String, style: TextStyle = .plain) {
    elements.append(.text(text, style))
  }

  /// Adds text that is shown as it is, never wrapped.
  public mutating func preformatted(_ text: String) { elements.append(.preformatted(text)) }

  /// Adds names and their values.
  public mutating func keyValues(_ pairs: [KeyValue]) { elements.append(.keyValues(pairs)) }

  /// Adds a line across the screen.
  public mutating func divider() { elements.append(.divider) }

  /// Adds how far something is.
  ///
  /// - Parameters:
  ///   - label: what is going on.
  ///   - fraction: from 0 to 1; `nil` where the end isn't known.
  public mutating func progress(_ label: String, fraction: Double? = nil) {
    elements.append(
      .progress(ProgressContent(label: label, fraction: fraction.map { min(max($0, 0), 1) })))
  }

  /// Adds a titled group.
  public mutating func section(_ title: String, build: (inout ScreenBuilder<Action>) -> Void) {
    var inner = ScreenBuilder(responses: responses)
    build(&inner)
    responses = inner.responses
    elements.append(.section(title: title, elements: inner.elements))
  }

  mutating func addControl(
    _ kind: ControlContent.Kind, label: String, id: String?, isEnabled: Bool,
    problem: String? = nil, respond: @escaping (ControlInput) -> Action.View?
  ) {
    let index = responses.count
    responses.append { isEnabled ? respond($0).map(Action.view) : nil }
    elements.append(
      .control(
        ControlContent(
          index: index, kind: kind, label: label, id: id, isEnabled: isEnabled, problem: problem)))
  }
}

extension ScreenElement {
  /// The element with its controls' indexes moved up by `offset`.
  func shifted(by offset: Int) -> ScreenElement {
    switch self {
    case .heading, .text, .preformatted, .keyValues, .divider, .progress, .sparkline, .bars: self
    case .control(let control):
      .control(
        ControlContent(
          index: control.index + offset, kind: control.kind, label: control.label,
          id: control.id, isEnabled: control.isEnabled, problem: control.problem))
    case .list(let list):
      .list(
        ListContent(
          index: list.index + offset, id: list.id, count: list.count,
          placeholder: list.placeholder, row: list.row))
    case .table(let table):
      .table(
        TableContent(
          index: table.index + offset, id: table.id, columns: table.columns, count: table.count,
          placeholder: table.placeholder, row: table.row))
    case .section(let title, let elements):
      .section(title: title, elements: elements.map { $0.shifted(by: offset) })
    }
  }
}
