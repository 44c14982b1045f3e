/// Adds elements to a screen, from top to bottom.
///
/// A control's label is unique on its screen, and its `id` a stable identifier for scripts. A control
/// that is not enabled keeps its number, and a problem, such as why a value is not accepted, is shown
/// beside it. The action is that of what a person enters.
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

  /// Adds a progress indicator, with a fraction from 0 to 1 if the end is known.
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
    _ kind: ControlContent.Kind, _ label: String, _ id: String?, _ isEnabled: Bool = true,
    _ problem: String? = nil, respond: @escaping (ControlInput) -> Action?
  ) {
    parts.append(.control(kind, label, id, isEnabled, problem, respond: respond))
  }

  mutating func add(_ element: ScreenElement) { parts.append(.element(element)) }
}
