@_spi(Host) internal import AppCore

/// A control of the current screen that a line can name.
struct ControlTarget {
  enum Kind {
    case control(ControlContent.Kind)
    case row(position: Int)
  }

  let index: Int
  let kind: Kind
  let label: String
  let id: String?
  let isEnabled: Bool
  let identity: ControlIdentity

  var isSecret: Bool { identity.kind == .secret }

  init(_ control: ControlContent, identity: ControlIdentity) {
    index = control.index
    kind = .control(control.kind)
    label = control.label
    id = control.id
    isEnabled = control.isEnabled
    self.identity = identity
  }

  init(_ row: RowContent, in list: RowList, at position: Int) {
    index = list.index
    kind = .row(position: position)
    label = row.label
    id = row.id
    isEnabled = true
    identity = row.identity(in: list, at: position)
  }
}
