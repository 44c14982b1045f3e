/// The current page of a list.
package struct ListPosition: Hashable, Sendable {
  /// The owner of the list's screen.
  package let owner: String
  /// The list's identifier; `nil` for a list that is identified by its ``ordinal``.
  package let id: String?
  /// The index among the screen's lists with the same identifier, or without one.
  package let ordinal: Int
  /// The index of a row on the page.
  package let offset: Int

  package init(owner: String, id: String?, ordinal: Int, offset: Int) {
    self.owner = owner
    self.id = id
    self.ordinal = ordinal
    self.offset = offset
  }
}

extension ShellSession {
  /// The lists that aren't at their first page.
  package var listPositions: [ListPosition] {
    paging.places.map { key, offset in
      switch key.name {
      case .id(let id, let repetition):
        ListPosition(owner: key.owner, id: id, ordinal: repetition, offset: offset)
      case .ordinal(let ordinal):
        ListPosition(owner: key.owner, id: nil, ordinal: ordinal, offset: offset)
      }
    }
  }

  /// Restores the pages of lists.
  package mutating func restore(_ positions: [ListPosition]) {
    for position in positions {
      let name =
        position.id.map { ListKey.Name.id($0, repetition: position.ordinal) }
        ?? .ordinal(position.ordinal)
      paging.restore(ListKey(owner: position.owner, name: name), offset: position.offset)
    }
  }
}
