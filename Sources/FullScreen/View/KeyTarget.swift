@_spi(Host) internal import AppCore
internal import LineEditor
internal import Shell

/// What a key acts on, across changes of the screen.
struct KeyTarget: Equatable {
  enum Part: Equatable {
    case browsing, finding, command, reading
  }

  let part: Part
  var owner: String?
  var focus: Focus?
  var row: ControlIdentity?
  /// The title of the tab that is clicked, or the suggestion that is taken.
  var name: String?
}

extension ScreenView {
  func target(of key: KeyPress) -> KeyTarget {
    switch mode {
    case .command: return KeyTarget(part: .command)
    case .reading: return KeyTarget(part: .reading)
    case .finding: return KeyTarget(part: .finding, owner: screen?.owner, focus: place.focus)
    case .browsing: break
    }
    var target = KeyTarget(part: .browsing, owner: screen?.owner, focus: place.focus)
    // The row counts only where it is opened: the arrows work however fast its cells change.
    var row = [.enter, .scalar(" ")].contains(key.code) ? rowPosition : nil
    if case .pointer(let pointer) = key.code, case .press = pointer.action {
      let clicked = self.place(of: pointer)
      target.focus = clicked?.focus
      row = if case .row(let row, _, _) = clicked { row } else { nil }
      if case .tab(let index) = clicked { target.name = screen?.chrome.tabs[index].title }
    } else if key.code == .enter, var editor = place.editor,
      let (_, stop) = page.stop(.control(editor.field)), let (control, _) = page.control(stop),
      case .field(let field) = control.kind
    {
      editor.update(from: field)
      target.name = editor.chosenSuggestion
    }
    if let row, let (_, stop) = page.stop(target.focus), let (list, _) = page.list(stop) {
      target.row = ControlTarget(list.row(row), in: list, at: row).identity
    }
    return target
  }
}
