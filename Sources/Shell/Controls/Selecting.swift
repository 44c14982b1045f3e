@_spi(Host) internal import AppCore
internal import Support

// What `@ID add ROW` and the space bar do to a list whose rows can be selected.
extension RowList {
  package var isSelectable: Bool { selectedCount != nil }

  /// Selects a row, or no longer; `nil` if the row can't be selected.
  package func selecting(_ position: Int, _ isSelected: Bool) -> Activation? {
    let row = row(position)
    guard row.isSelected != nil, let id, let rowID = row.id else { return nil }
    return Activation(
      control: index, input: .select(row: position, isSelected),
      label: "\(Scanner.line(identifier: id)) \(isSelected ? "add" : "remove") "
        + Scanner.line(identifier: rowID).dropFirst(), isSecret: false,
      identity: ControlIdentity(owner: key.owner, kind: .row(key), name: .id(id)))
  }

  /// The activation for what follows the list's identifier on a line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func selecting(_ value: LineValue?) throws(Rejection) -> Activation {
    let name = Scanner.line(identifier: id ?? "").quoted
    let forms = "'\(name) add ROW' or '\(name) remove ROW'"
    guard let value else {
      throw Rejection(.valueMissing, "'\(name)' selects rows of a list: write \(forms)")
    }
    guard case .text(let text) = value,
      case let word = text.prefix(while: { !Scanner.isSpace($0) }),
      ["add", "remove"].contains(word),
      case let rest = Scanner.trim(text[word.endIndex...]), !rest.isEmpty
    else {
      throw Rejection(.wrongType, "'\(name)' takes what to do with which row: write \(forms)")
    }
    let wanted = try Scanner.decoded(rest)
    guard let position = (0..<max(count, 0)).first(where: { row($0).id == wanted }),
      let activation = selecting(position, word == "add")
    else {
      let nearest = NearestName.meant(by: wanted, among: rowIDs.map(\.id))
      throw Rejection(
        .noSuchControl,
        "no row of '\(name)' has the identifier '\(wanted.quoted)'"
          + (nearest.map { "; did you mean '\($0.quoted)'?" } ?? ""))
    }
    return activation
  }

  /// The identifiers of the first rows, for suggestions.
  private var rowIDs: [(id: String, isSelected: Bool)] {
    (0..<min(max(count, 0), 500)).compactMap { position in
      let row = row(position)
      return row.id.map { ($0, row.isSelected == true) }
    }
  }

  /// The completions of a line that begins with the list's identifier.
  func selections(of line: String) -> [Completion] {
    let name = Scanner.line(identifier: id ?? "")
    return ["add", "remove"].flatMap { word in
      let lead = "\(name) \(word) "
      guard line.hasPrefix(lead) else {
        return [Completion("\(name) \(word)", label: word, continues: true)]
      }
      return rowIDs.filter { $0.isSelected == (word == "remove") }.map {
        Completion(lead + Scanner.line(identifier: $0.id).dropFirst(), label: $0.id)
      }
    }
  }
}

extension ControlIndex {
  /// The list with an identifier, if its rows can be selected and no control has that identifier.
  func selectable(_ id: String) -> RowList? {
    guard !controls.contains(where: { $0.id == id }) else { return nil }
    return lists.first { $0.isSelectable && $0.id == id }
  }

  /// The identifiers of the lists whose rows can be selected.
  var selectableIDs: [String] { lists.filter(\.isSelectable).compactMap(\.id) }

  /// The activation that a line of the form `@ID add ROW` stands for.
  func selecting(_ line: String) throws(Rejection) -> Activation? {
    guard case .identifier(let id, let value) = try LineParser().parse(line) else { return nil }
    return try selectable(id)?.selecting(value)
  }
}

extension Optional<Bool> {
  /// What is before a row that can be selected; as much space if it can't be.
  package var selectionMark: String { map { $0 ? "[x] " : "[ ] " } ?? "    " }
}
