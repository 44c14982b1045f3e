extension ScreenBuilder {
  /// Adds a button.
  public mutating func button(
    _ label: String, id: String? = nil, isEnabled: Bool = true, action: Action.View
  ) {
    addControl(.button, label, id, isEnabled) { input in
      input == .press ? .view(action) : nil
    }
  }

  /// Adds a field for a line of text, or for several; a placeholder is shown while it is empty.
  public mutating func field(
    _ label: String, id: String? = nil, text: String, placeholder: String? = nil,
    isMultiline: Bool = false, problem: String? = nil, isEnabled: Bool = true,
    action: @escaping (String) -> Action.View
  ) {
    let content = FieldContent(
      kind: isMultiline ? .multiline : .text, text: text, isSet: !text.isEmpty,
      placeholder: placeholder)
    addControl(.field(content), label, id, isEnabled, problem) { input in
      if case .text(let text) = input { .view(action(text)) } else { nil }
    }
  }

  /// Adds a field for a line of text, of which each change is sent while one types, as for a filter.
  ///
  /// That is where keys are seen one by one: full screen. A line of the shell sends a whole text.
  public mutating func field(
    _ label: String, id: String? = nil, text: String, placeholder: String? = nil,
    isLive: Bool, problem: String? = nil, isEnabled: Bool = true,
    action: @escaping (String) -> Action.View
  ) {
    field(
      label, id: id, text: text, placeholder: placeholder, isLive: isLive, suggestions: [],
      problem: problem, isEnabled: isEnabled, action: action)
  }

  /// Adds a field for a line of text that suggests texts; others can be typed as well.
  ///
  /// Suggestions of several lines are left out. For `isLive` see the field without suggestions.
  public mutating func field(
    _ label: String, id: String? = nil, text: String, placeholder: String? = nil,
    isLive: Bool = false, suggestions: [String], problem: String? = nil, isEnabled: Bool = true,
    action: @escaping (String) -> Action.View
  ) {
    let content = FieldContent(
      kind: .text, text: text, isSet: !text.isEmpty, placeholder: placeholder, isLive: isLive,
      suggestions: suggestions.filter { !$0.contains(where: \.isNewline) })
    addControl(.field(content), label, id, isEnabled, problem) { input in
      if case .text(let text) = input { .view(action(text)) } else { nil }
    }
  }

  /// Adds a field whose value is never shown.
  public mutating func secretField(
    _ label: String, id: String? = nil, isSet: Bool, problem: String? = nil,
    isEnabled: Bool = true, action: @escaping (Secret<String>) -> Action.View
  ) {
    let content = FieldContent(kind: .secret, text: "", isSet: isSet, placeholder: nil)
    addControl(.field(content), label, id, isEnabled, problem) { input in
      if case .text(let text) = input { .view(action(Secret(text))) } else { nil }
    }
  }

  /// Adds a field for a number.
  public mutating func numberField(
    _ label: String, id: String? = nil, value: Double?, problem: String? = nil,
    isEnabled: Bool = true, action: @escaping (Double) -> Action.View
  ) {
    addNumber(
      label, id: id, text: value.map(Self.text), isWhole: false, problem: problem,
      isEnabled: isEnabled,
      action: action)
  }

  mutating func addNumber(
    _ label: String, id: String?, text: String?, isWhole: Bool, problem: String?,
    isEnabled: Bool, action: @escaping (Double) -> Action.View
  ) {
    let content = FieldContent(
      kind: .number(isWhole: isWhole), text: text ?? "", isSet: text != nil, placeholder: nil)
    addControl(.field(content), label, id, isEnabled, problem) { input in
      guard case .number(let number) = input, !isWhole || FieldContent.isWhole(number) else {
        return nil
      }
      return .view(action(number))
    }
  }

  /// Adds a field for a date, which people may type as `2026-03-01`, `today`, `+3d` or `-1w`.
  public mutating func dateField(
    _ label: String, id: String? = nil, value: CalendarDate?, problem: String? = nil,
    isEnabled: Bool = true, action: @escaping (CalendarDate) -> Action.View
  ) {
    let content = FieldContent(
      kind: .date, text: value.map { "\($0)" } ?? "", isSet: value != nil, placeholder: nil)
    addControl(.field(content), label, id, isEnabled, problem) { input in
      if case .date(let date) = input { .view(action(date)) } else { nil }
    }
  }

  /// Adds a control that is on or off.
  public mutating func toggle(
    _ label: String, id: String? = nil, isOn: Bool, problem: String? = nil,
    isEnabled: Bool = true, action: @escaping (Bool) -> Action.View
  ) {
    addControl(.toggle(isOn: isOn), label, id, isEnabled, problem) { input in
      if case .toggle(let isOn) = input { .view(action(isOn)) } else { nil }
    }
  }

  /// Adds a choice of one of several options, which are selected by their `id`s.
  public mutating func choice(
    _ label: String, id: String? = nil, options: [ChoiceOption], selected: String?,
    problem: String? = nil, isEnabled: Bool = true, action: @escaping (String) -> Action.View
  ) {
    addControl(
      .choice(options: options, selected: selected), label, id, isEnabled, problem
    ) { input in
      guard case .choice(let id) = input, options.contains(where: { $0.id == id }) else {
        return nil
      }
      return .view(action(id))
    }
  }

  /// A number as text; without a decimal point if it is whole.
  static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}

/// One row of a list, as a feature describes it.
public struct Row<Action: FeatureAction> {
  let content: RowContent
  let action: Action.View?

  /// Creates a row, with a detail beside its label; one without an action is only text.
  public init(
    _ label: String, detail: String? = nil, id: String? = nil, action: Action.View? = nil
  ) {
    self.init(cells: [label] + (detail.map { [$0] } ?? []), id: id, action: action)
  }

  /// Creates a row of a table.
  public init(cells: [String], id: String? = nil, action: Action.View? = nil) {
    content = RowContent(cells: cells, id: id, isControl: action != nil)
    self.action = action
  }
}

extension ScreenBuilder {
  /// Adds a list, whose rows are made only for the page that is shown; a placeholder is shown if
  /// there are none.
  public mutating func list<Items: RandomAccessCollection>(
    _ items: Items, id: String? = nil, placeholder: String? = nil,
    row: @escaping (Items.Element) -> Row<Action>
  ) {
    addRows(items, [], id, placeholder, row) { .list($0) }
  }

  /// Adds a table, whose rows have a cell for each column; see also
  /// ``list(_:id:placeholder:row:)``.
  public mutating func table<Items: RandomAccessCollection>(
    _ items: Items, columns: [TableColumn], id: String? = nil, placeholder: String? = nil,
    row: @escaping (Items.Element) -> Row<Action>
  ) {
    addRows(items, columns, id, placeholder, row) { .table($0) }
  }

  /// Adds a table that can be sorted by each column with a title.
  ///
  /// The items are in the order of `sort`, which is `nil` for an order of their own: `sortAction` is
  /// the action that is sent when another one is asked for.
  public mutating func table<Items: RandomAccessCollection>(
    _ items: Items, columns: [TableColumn], id: String? = nil, placeholder: String? = nil,
    sort: TableSort?, sortAction: @escaping (TableSort) -> Action.View,
    row: @escaping (Items.Element) -> Row<Action>
  ) {
    addRows(items, columns, id, placeholder, row, sort: sort, sortAction: sortAction) {
      .table($0)
    }
  }

  /// Adds a list of which several rows can be selected: those with identifiers.
  ///
  /// `selection` has the identifiers of the selected rows, of which some may not be shown now;
  /// `selectionAction` is the action that is sent with another selection. Lines name the list by its
  /// own identifier: `@ID add ROW`, `@ID remove ROW`.
  public mutating func list<Items: RandomAccessCollection>(
    _ items: Items, id: String, placeholder: String? = nil,
    selection: Set<String>, selectionAction: @escaping (Set<String>) -> Action.View,
    row: @escaping (Items.Element) -> Row<Action>
  ) {
    addRows(
      items, [], id, placeholder, row, selection: selection, selectionAction: selectionAction
    ) { .list($0) }
  }

  /// Adds a table of which several rows can be selected, as of the list with a `selection`, and that
  /// can be sorted if it has a `sortAction`.
  public mutating func table<Items: RandomAccessCollection>(
    _ items: Items, columns: [TableColumn], id: String, placeholder: String? = nil,
    sort: TableSort? = nil, sortAction: ((TableSort) -> Action.View)? = nil,
    selection: Set<String>, selectionAction: @escaping (Set<String>) -> Action.View,
    row: @escaping (Items.Element) -> Row<Action>
  ) {
    addRows(
      items, columns, id, placeholder, row, sort: sort, sortAction: sortAction,
      selection: selection, selectionAction: selectionAction
    ) { .table($0) }
  }

  private mutating func addRows<Items: RandomAccessCollection>(
    _ items: Items, _ columns: [TableColumn], _ id: String?, _ placeholder: String?,
    _ row: @escaping (Items.Element) -> Row<Action>,
    sort: TableSort? = nil, sortAction: ((TableSort) -> Action.View)? = nil,
    selection: Set<String> = [], selectionAction: ((Set<String>) -> Action.View)? = nil,
    as element: @escaping (RowsContent) -> ScreenElement
  ) {
    let count = items.count
    func makeRow(_ position: Int) -> Row<Action> {
      row(items[items.index(items.startIndex, offsetBy: position)])
    }
    func content(_ position: Int) -> RowContent {
      var content = makeRow(position).content
      if selectionAction != nil { content.isSelected = content.id.map(selection.contains) }
      return content
    }
    parts.append(
      .control(
        make: { index in
          var rows = RowsContent(
            index: index, id: id, columns: columns, count: count, placeholder: placeholder,
            row: content)
          (rows.isSortable, rows.sort) = (sortAction != nil, sort)
          if selectionAction != nil { rows.selectedCount = selection.count }
          return element(rows)
        },
        respond: { input in
          switch input {
          case .row(let position) where (0..<count).contains(position):
            return makeRow(position).action.map(Action.view)
          case .sort(let sort) where columns.contains(where: { $0.title == sort.column }):
            return sortAction.map { .view($0(sort)) }
          case .select(let position, let isSelected) where (0..<count).contains(position):
            guard let selectionAction, let id = makeRow(position).content.id else { return nil }
            return .view(
              selectionAction(isSelected ? selection.union([id]) : selection.subtracting([id])))
          default: return nil
          }
        }))
  }
}
