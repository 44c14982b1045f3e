@_spi(Host) internal import AppCore

/// A list or a table: rows that are made when they are looked at.
struct RowList {
  let key: ListKey
  let index: Int
  let id: String?
  /// `nil` for a list.
  let columns: [TableColumn]?
  let count: Int
  let placeholder: String?
  let row: (Int) -> RowContent
}

/// Which list of which screen; stays the same while the screen's state changes.
struct ListKey: Hashable, Sendable {
  enum Name: Hashable, Sendable {
    case id(String)
    /// The how-manieth list without an identifier, from 0.
    case ordinal(Int)
  }

  let owner: String
  let name: Name
}
