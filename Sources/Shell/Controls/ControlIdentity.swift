@_spi(Host) internal import AppCore

/// The identity of a control across screens.
///
/// A control with an identifier may change its label and its place. Without one, or if another
/// control of its kind has the same one, it is identified by its label; a row without one is
/// identified by its position and its cells.
struct ControlIdentity: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case button, text, multiline, secret, number, toggle, choice
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
      }
    }
  }
}

extension RowContent {
  /// The identity of the row across screens.
  func identity(in list: RowList, at position: Int) -> ControlIdentity {
    ControlIdentity(
      owner: list.key.owner, kind: .row(list.key),
      name: id.map(ControlIdentity.Name.id) ?? .row(position: position, cells: cells))
  }
}
