/// Adds elements to a screen, from top to bottom.
public struct ScreenBuilder<Action: FeatureAction> {
  var parts: [ScreenPart<Action>] = []

  /// Adds a heading.
  public mutating func heading(_ text: String) { add(.heading(text)) }

  /// Adds a paragraph, wrapped to the width.
  public mutating func text(_ text: String, style: TextStyle = .plain) {
    add(.text(text, style))
  }

  /// Adds text that is shown as it is, never wrapped.
  public mutating func preformatted(_ text: String) { add(.preformatted(text)) }

  /// Adds names and their values.
  public mutating func keyValues(_ pairs: [KeyValue]) { add(.keyValues(pairs)) }

  /// Adds a line across the screen.
  public mutating func divider() { add(.divider) }

  /// Adds a progress indicator.
  ///
  /// - Parameters:
  ///   - label: what is in progress.
  ///   - fraction: from 0 to 1; `nil` if the end isn't known.
  public mutating func progress(_ label: String, fraction: Double? = nil) {
    add(
      .progress(ProgressContent(label: label, fraction: fraction.map { min(max($0, 0), 1) })))
  }

  /// Adds a titled group.
  public mutating func section(_ title: String, build: (inout ScreenBuilder<Action>) -> Void) {
    var inner = ScreenBuilder()
    build(&inner)
    parts.append(.section(title: title, inner.parts))
  }

  mutating func addControl(
    _ kind: ControlContent.Kind, label: String, id: String?, isEnabled: Bool,
    problem: String? = nil, respond: @escaping (ControlInput) -> Action.View?
  ) {
    parts.append(
      .control(
        make: {
          .control(
            ControlContent(
              index: $0, kind: kind, label: label, id: id, isEnabled: isEnabled, problem: problem))
        },
        respond: { isEnabled ? respond($0).map(Action.view) : nil }))
  }

  mutating func add(_ element: ScreenElement) { parts.append(.element(element)) }
}
