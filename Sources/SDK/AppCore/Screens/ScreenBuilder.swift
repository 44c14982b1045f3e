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

  /// Adds a progress indicator, and below it a button that cancels what it shows.
  public mutating func progress(
    _ label: String, fraction: Double? = nil, id: String? = nil, cancelLabel: String = "Cancel",
    cancelAction: Action.View
  ) {
    progress(label, fraction: fraction)
    parts.append(
      .control(
        make: {
          .control(
            ControlContent(
              index: $0, kind: .button, label: cancelLabel, id: id, isEnabled: true, problem: nil,
              cancels: label))
        },
        respond: { $0 == .press ? .view(cancelAction) : nil }))
  }

  /// Adds a titled group.
  public mutating func section(_ title: String, build: (inout ScreenBuilder<Action>) -> Void) {
    var inner = ScreenBuilder()
    build(&inner)
    parts.append(.section(title: title, inner.parts))
  }

  /// Adds columns, which are side by side where each has room for 30 characters, and otherwise below
  /// one another, as they always are in lines.
  public mutating func columns(build: (inout ColumnsBuilder<Action>) -> Void) {
    var columns = ColumnsBuilder<Action>()
    build(&columns)
    parts.append(.columns(columns.columns))
  }

  mutating func addControl(
    _ kind: ControlContent.Kind, _ label: String, _ id: String?, _ isEnabled: Bool = true,
    _ problem: String? = nil, respond: @escaping (ControlInput) -> Action?
  ) {
    parts.append(.control(kind, label, id, isEnabled, problem, respond: respond))
  }

  mutating func add(_ element: ScreenElement) { parts.append(.element(element)) }
}

/// Adds columns to a screen, from left to right.
public struct ColumnsBuilder<Action: FeatureAction> {
  var columns: [[ScreenPart<Action>]] = []

  /// Adds a column, which `build` fills from top to bottom.
  public mutating func column(build: (inout ScreenBuilder<Action>) -> Void) {
    var inner = ScreenBuilder<Action>()
    build(&inner)
    columns.append(inner.parts)
  }
}
