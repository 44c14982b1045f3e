@_spi(Host) package import AppCore

/// The controls of the current screen, printed or not.
///
/// The rows of lists are created only when they are searched.
package struct ControlIndex {
  /// The controls that are not rows, from top to bottom.
  package let controls: [ControlTarget]
  package let lists: [RowList]
  let owner: String

  package init(_ screen: ShellScreen) {
    let owner = screen.owner
    var found: [ControlContent] = []
    var lists: [RowList] = []
    var repetitions: [String?: Int] = [:]
    func key(_ id: String?) -> ListKey {
      defer { repetitions[id, default: 0] += 1 }
      return ListKey(owner: owner, id: id, ordinal: repetitions[id, default: 0])
    }
    for case .element(let element, _) in ElementWalk(screen.content.elements) {
      switch element {
      case .control(let control): found.append(control)
      case .list(let list):
        lists.append(
          RowList(
            key: key(list.id), index: list.index, id: list.id, columns: nil, count: list.count,
            placeholder: list.placeholder, row: list.row, selectedCount: list.selectedCount))
      case .table(let table):
        let sort = table.sort.flatMap { sort in
          table.columns.contains { $0.title == sort.column } ? sort : nil
        }
        lists.append(
          RowList(
            key: key(table.id), index: table.index, id: table.id, columns: table.columns,
            count: table.count, placeholder: table.placeholder, row: table.row,
            isSortable: table.isSortable, sort: sort, selectedCount: table.selectedCount))
      default: break
      }
    }
    self.owner = owner
    self.lists = lists
    controls = Self.targets(found, owner: owner, today: screen.today)
  }

  private static func targets(
    _ found: [ControlContent], owner: String, today: @escaping @Sendable () -> CalendarDate
  ) -> [ControlTarget] {
    func identity(_ control: ControlContent, _ name: ControlIdentity.Name) -> ControlIdentity {
      ControlIdentity(owner: owner, kind: .init(control.kind), name: name)
    }
    func counts(_ identities: [ControlIdentity]) -> [ControlIdentity: Int] {
      Dictionary(identities.map { ($0, 1) }, uniquingKeysWith: +)
    }
    let ids = found.map { control in control.id.map { identity(control, .id($0)) } }
    let idCounts = counts(ids.compactMap { $0 })
    let identities = zip(found, ids).map { control, id in
      if let id, idCounts[id] == 1 { return id }
      return identity(control, .label(control.label, id: control.id, ordinal: 0, of: 0))
    }
    let totals = counts(identities)
    var seen: [ControlIdentity: Int] = [:]
    return zip(found, identities).map { control, shared in
      guard case .label(let label, let id, _, _) = shared.name else {
        return ControlTarget(control, identity: shared, today: today)
      }
      defer { seen[shared, default: 0] += 1 }
      let name = ControlIdentity.Name.label(
        label, id: id, ordinal: seen[shared, default: 0], of: totals[shared, default: 1])
      return ControlTarget(control, identity: identity(control, name), today: today)
    }
  }

  var hasSecret: Bool { controls.contains(where: \.isSecret) }

  /// The control with `identity`; `nil` if it no longer exists.
  ///
  /// - Complexity: O(*n*), where *n* is the number of controls; if a row has moved, *n* is the
  ///   number of rows of its list.
  func target(_ identity: ControlIdentity, near position: Int?) -> ControlTarget? {
    guard case .row(let key) = identity.kind else {
      return controls.first { $0.identity == identity }
    }
    guard let list = lists.first(where: { $0.key == key }) else { return nil }
    if let position, position < list.count {
      let row = list.row(position)
      if row.isControl, row.identity(in: list, at: position) == identity {
        return ControlTarget(row, in: list, at: position)
      }
    }
    guard case .id(let id) = identity.name else { return nil }
    return list.controls { $0.id == id }.first { _ in true }
  }

  /// The controls with the identifier `id`; without any, the first row with it.
  func targets(id: String) -> [ControlTarget] {
    let found = controls.filter { $0.id == id }
    if !found.isEmpty { return found }
    for list in lists {
      for row in list.controls(where: { $0.id == id }) { return [row] }
    }
    return []
  }

  /// The controls and rows with the label `label`, ignoring case.
  ///
  /// - Complexity: O(*n*), where *n* is the number of controls and rows of the screen.
  func targets(label: String) -> [ControlTarget] {
    let wanted = FoldedLabel(label)
    return controls.filter { wanted.matches($0.label) }
      + lists.flatMap { $0.controls { wanted.matches($0.label) } }
  }

  /// The labels or identifiers of controls and of the first 500 rows of each list, for suggestions.
  func names(_ name: (ControlTarget) -> String?) -> [String] {
    (controls + lists.flatMap { $0.controls(first: 500) }).compactMap(name)
  }

  /// The label in lower case, without surrounding spaces.
  static func folded(_ label: String) -> String {
    String(Scanner.trim(label[...])).lowercased()
  }
}

extension RowList {
  /// The rows among the first `limit` that can be chosen and satisfy a condition.
  ///
  /// Each is created when it is reached. Not a collection: an index of a lazy one is found by
  /// creating rows, and its element by creating the row again.
  func controls(
    first limit: Int = .max, where isWanted: @escaping (RowContent) -> Bool = { _ in true }
  ) -> some Sequence<ControlTarget> {
    (0..<min(max(count, 0), limit)).lazy.compactMap { position in
      let row = row(position)
      return row.isControl && isWanted(row) ? ControlTarget(row, in: self, at: position) : nil
    }
  }
}

/// A control of the current screen that a line can name.
package struct ControlTarget {
  enum Kind {
    case control(ControlContent.Kind)
    case row(position: Int)
  }

  /// The index of the control, or of the row's list, on its screen.
  let index: Int
  let kind: Kind
  let label: String
  let id: String?
  let isEnabled: Bool
  package let identity: ControlIdentity
  /// The date that is meant by `today`; `nil` for a row.
  package let today: (@Sendable () -> CalendarDate)?

  var isSecret: Bool { identity.kind == .secret }

  init(
    _ control: ControlContent, identity: ControlIdentity,
    today: @escaping @Sendable () -> CalendarDate
  ) {
    index = control.index
    kind = .control(control.kind)
    label = control.label
    id = control.id
    isEnabled = control.isEnabled
    self.identity = identity
    self.today = today
  }

  package init(_ row: RowContent, in list: RowList, at position: Int) {
    index = list.index
    kind = .row(position: position)
    label = row.label
    id = row.id
    isEnabled = true
    identity = row.identity(in: list, at: position)
    today = nil
  }
}

/// The identity of a control across screens.
///
/// A control with an identifier may change its label and its place. Without one, or if another
/// control of its kind has the same one, it is identified by its label; a row without one is
/// identified by its position and its cells.
package struct ControlIdentity: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case button, text, multiline, secret, number, date, toggle, choice
    case row(ListKey)
  }

  enum Name: Hashable, Sendable {
    case id(String)
    /// Among several controls of the same kind, label and identifier, the index and the count: if
    /// one of them is removed, it is unknown which one, and all are stale.
    case label(String, id: String?, ordinal: Int, of: Int)
    case row(position: Int, cells: [String])
  }

  let owner: String
  let kind: Kind
  let name: Name

  /// The identifier or the label, by which it is found in a later process; empty for a row.
  package var text: String {
    switch name {
    case .id(let id): "@" + id
    case .label(let label, _, _, _): label
    case .row: ""
    }
  }
}

extension ControlIdentity.Kind {
  init(_ kind: ControlContent.Kind) {
    switch kind {
    case .button: self = .button
    case .toggle: self = .toggle
    case .choice: self = .choice
    case .field(let field):
      switch field.kind {
      case .text: self = .text
      case .multiline: self = .multiline
      case .secret: self = .secret
      case .number: self = .number
      case .date: self = .date
      }
    }
  }
}

extension RowContent {
  func identity(in list: RowList, at position: Int) -> ControlIdentity {
    ControlIdentity(
      owner: list.key.owner, kind: .row(list.key),
      name: id.map(ControlIdentity.Name.id) ?? .row(position: position, cells: cells))
  }
}
