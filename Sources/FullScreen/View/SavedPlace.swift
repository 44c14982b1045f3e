@_spi(Host) internal import AppCore
internal import LineEditor
internal import Shell

/// What is kept of an instance's screen for a later process: the focus, the positions, and the text
/// that is being typed unless it is a secret.
package struct SavedPlace: Hashable, Sendable, Codable {
  /// The identifier or label of what has the focus, and its index.
  fileprivate var focus: String?
  fileprivate var ordinal = 0
  fileprivate var top = 0
  fileprivate var lists: [List] = []
  fileprivate var text: String?
  fileprivate var cursor = 0
  fileprivate var interrupted: Interrupted?

  fileprivate struct List: Hashable, Codable {
    var list: String?
    var ordinal = 0
    var position = 0
    var row: String?
    var firstColumn = 0
  }

  /// See ``ScreenView/Place/interrupted``.
  fileprivate struct Interrupted: Hashable, Codable {
    /// The identifier or label of the field.
    let field: String
    let text: String
    let cursor: Int
    /// Whether the focus has stayed where it went.
    let isLast: Bool
  }
}

extension SavedPlace {
  fileprivate init(_ place: ScreenView.Place) {
    (focus, ordinal, top) = (place.focus?.text, place.ordinal, place.top)
    lists = place.lists.map { key, list in
      List(
        list: key.id, ordinal: key.ordinal, position: list.position, row: list.id,
        firstColumn: list.firstColumn)
    }.sorted { ($0.list ?? "", $0.ordinal) < ($1.list ?? "", $1.ordinal) }
    if let editor = place.editor, !editor.isSecret { (text, cursor) = (editor.text, editor.cursor) }
    if let (editor, focus) = place.interrupted, !editor.isSecret {
      interrupted = Interrupted(
        field: editor.field.text, text: editor.text, cursor: editor.cursor,
        isLast: place.editor == nil && focus == place.focus)
    }
  }
}

extension Focus {
  fileprivate var text: String {
    switch self {
    case .tabs: ":tabs"
    case .control(let identity): identity.text
    case .list(let key): "#" + (key.id ?? "")
    }
  }
}

extension ScreenView {
  /// What is kept of each screen for a later process, with its owner.
  package var savedPlaces: [(owner: String, place: SavedPlace)] {
    let shown = places.map { (owner: $0.key, place: SavedPlace($0.value)) }
    let others = restored.map { (owner: $0.key, place: $0.value) }
    return (shown + others).sorted { $0.owner < $1.owner }
  }

  /// Continues with what an earlier process has kept, when the screens of the owners are shown.
  package mutating func restore(_ places: [(owner: String, place: SavedPlace)]) {
    for (owner, place) in places { restored[owner] = place }
  }

  /// The line of the shell that is being typed, and how many characters are before the cursor; `nil` if
  /// none is.
  package var typedCommand: (text: String, cursor: Int)? {
    guard case .command(let editor) = mode else { return nil }
    return (editor.text, editor.cursor)
  }

  /// Continues with a line of the shell that was half-typed in an earlier process.
  package mutating func restore(command text: String, cursor: Int) {
    guard !text.isEmpty else { return }
    beginCommand(text, cursor: cursor)
  }

  /// Puts the focus, the positions and the half-typed text of the screen, which is laid out, where
  /// they were in the earlier process.
  mutating func resume(_ saved: SavedPlace, of owner: String) {
    var place = Place(ordinal: max(saved.ordinal, 0), top: max(saved.top, 0))
    for list in saved.lists {
      place.lists[ListKey(owner: owner, id: list.list, ordinal: list.ordinal)] = ListPlace(
        position: max(list.position, 0), id: list.row, firstColumn: max(list.firstColumn, 0))
    }
    let named = page.stops.filter { $0.focus.text == saved.focus }
    let stop = named.first { page.stop($0.focus)?.index == place.ordinal } ?? named.first
    place.focus = saved.focus == Focus.tabs.text ? .tabs : stop?.focus
    if let text = saved.text, let stop, let (control, target) = page.control(stop),
      case .field(let field) = control.kind, field.kind != .secret
    {
      place.editor = FieldEditor(target, field, text: text, cursor: saved.cursor)
    }
    if let former = saved.interrupted {
      for case .control(let control, let target) in page.blocks.map(\.content)
      where target.identity.text == former.field {
        guard case .field(let field) = control.kind, field.kind != .secret else { continue }
        let editor = FieldEditor(target, field, text: former.text, cursor: former.cursor)
        place.interrupted = (editor, former.isLast ? place.focus : nil)
      }
    }
    self.place = place
  }
}
