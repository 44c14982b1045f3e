/// The content of a screen, without the actions of its controls.
///
/// A control is identified by its index; its action is in the ``Screen`` that it came from.
@_spi(Host)
public struct ScreenContent {
  public var title: String
  /// What the screen shows, from top to bottom.
  public var elements: [ScreenElement] = []
  /// Whether the screen has an action for going back.
  public var hasBackAction = false
  /// The number of controls; their indexes start at 0.
  public var controlCount = 0

  public init(title: String) { self.title = title }
}

/// An element of a screen.
@_spi(Host)
@frozen
public indirect enum ScreenElement {
  case heading(String)
  /// Wrapped to the width; `\n` ends a line.
  case text(String, TextStyle)
  /// Shown as it is, never wrapped.
  case preformatted(String)
  /// Names and their values, one pair per line.
  case keyValues([KeyValue])
  case divider
  case progress(ProgressContent)
  case sparkline(SeriesContent)
  case bars(BarsContent)
  case control(ControlContent)
  case list(RowsContent)
  case table(RowsContent)
  case section(title: String, elements: [ScreenElement])
  /// Side by side where there is room, otherwise below one another.
  case columns([[ScreenElement]])
}

/// The meaning of a text.
public enum TextStyle: Sendable {
  case plain
  /// Less important than the rest.
  case secondary
  /// Something has gone right.
  case success
  /// Something needs attention.
  case warning
  /// Something has gone wrong.
  case error
}

/// A name and its value.
public struct KeyValue: Sendable {
  public let key: String
  public let value: String

  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// The progress of something.
@_spi(Host)
public struct ProgressContent: Sendable {
  public let label: String
  /// From 0 to 1; `nil` if the end isn't known.
  public let fraction: Double?
}

/// A control that is not a row: a button, a field, a toggle, a choice.
@_spi(Host)
public struct ControlContent {
  /// What kind of control it is, and its value.
  @frozen
  public enum Kind {
    case button
    case field(FieldContent)
    case toggle(isOn: Bool)
    case choice(options: [ChoiceOption], selected: String?)
  }

  /// The control's index on its screen.
  public let index: Int
  public let kind: Kind
  public let label: String
  /// A stable identifier for scripts, unique on its screen.
  public internal(set) var id: String?
  public let isEnabled: Bool
  /// Why the control's value is not accepted.
  public let problem: String?
  /// The label of the progress that a button cancels; `nil` for other controls.
  public var cancels: String?
}

/// The content of a field.
@_spi(Host)
public struct FieldContent {
  /// What may be typed.
  @frozen
  public enum Kind: Hashable, Sendable {
    case text
    /// More than one line.
    case multiline
    /// Never shown.
    case secret
    case number(isWhole: Bool)
    /// A day of the calendar; the field's text is in ISO 8601 format.
    case date
  }

  public let kind: Kind
  /// The text; empty for a secret.
  public let text: String
  /// Whether there is a value, which is all that is known about a secret.
  public let isSet: Bool
  /// Shown while the field is empty.
  public let placeholder: String?
  /// Whether each change is sent while one types, where that is possible.
  public var isLive = false
  /// Texts that may be wanted; others can be typed as well.
  public var suggestions: [String] = []

  /// Whether a number is whole and its magnitude is at most 2^53 - 1: a `Double` can't represent
  /// all larger whole numbers.
  public static func isWhole(_ number: Double) -> Bool {
    number == number.rounded() && number.magnitude <= 9_007_199_254_740_991
  }
}

/// One of the values of a choice.
public struct ChoiceOption: Sendable {
  public let id: String
  public let label: String

  /// Creates an option; its label is its `id` unless given.
  public init(_ id: String, label: String? = nil) {
    self.id = id
    self.label = label ?? id
  }
}

/// The rows of a list or a table; each row with an action is a control.
///
/// Rows are created when they are needed.
@_spi(Host)
public struct RowsContent {
  /// The index among the screen's controls; a row is identified by its position.
  public let index: Int
  public internal(set) var id: String?
  /// The columns of a table; none for a list.
  public let columns: [TableColumn]
  public let count: Int
  /// Shown if there are no rows.
  public let placeholder: String?
  /// The row at a position, counted from 0.
  public internal(set) var row: (Int) -> RowContent
  /// Whether the rows can be sorted by a column.
  public var isSortable = false
  /// How they are sorted; `nil` if not by a column.
  public var sort: TableSort?
  /// How many rows are selected, shown or not; `nil` if rows can't be selected.
  public var selectedCount: Int?
}

/// The column by which the rows of a table are sorted.
public struct TableSort: Codable, Hashable, Sendable {
  /// The column's title.
  public var column: String
  public var isDescending: Bool

  public init(_ column: String, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// A column of a table.
public struct TableColumn: Sendable {
  /// The side to which the cells are aligned.
  public enum Alignment: Sendable {
    case leading
    case trailing
  }

  public let title: String
  public let alignment: Alignment

  public init(_ title: String, alignment: Alignment = .leading) {
    self.title = title
    self.alignment = alignment
  }
}

/// One row of a list or table.
@_spi(Host)
public struct RowContent: Sendable {
  /// The cells; a list's row has its label and, if there is one, a detail.
  public let cells: [String]
  /// A stable identifier, unique on its screen.
  public internal(set) var id: String?
  /// Whether the row can be chosen.
  public let isControl: Bool
  /// Whether the row is selected; `nil` if it can't be.
  public internal(set) var isSelected: Bool?

  /// The row's label as a control.
  public var label: String { cells.first ?? "" }
}

/// A user's input to a control.
@_spi(Host)
@frozen
public enum ControlInput: Hashable, Sendable {
  case press
  case text(String)
  case number(Double)
  case date(CalendarDate)
  case toggle(Bool)
  /// The `id` of an option.
  case choice(String)
  /// The position of a row, from 0.
  case row(Int)
  /// How a table is to be sorted.
  case sort(TableSort)
  /// Whether the row at a position is to be selected.
  case select(row: Int, Bool)
}
