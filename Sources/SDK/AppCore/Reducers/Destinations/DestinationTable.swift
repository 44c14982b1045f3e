internal import Synchronization

/// The cases of a ``Destinations``: the names of its stored properties, and where they are.
///
/// A case is known by its key, the offset of its stored property in bytes, which a key path has too.
struct DestinationTable<Choice: Destinations>: Sendable {
  struct Entry: Sendable {
    let name: String
    let key: Int
    let content: any DestinationCase
  }
  let entries: [Entry]

  /// The table of a list that somebody has made, or of one like it, which is made once.
  static var shared: DestinationTable {
    let type = ObjectIdentifier(Choice.self)
    if let known = knownTables.withLock({ $0[type] }) as? DestinationTable { return known }
    let table = DestinationTable(Choice())
    knownTables.withLock { $0[type] = table }
    return table
  }

  init(_ choice: Choice) {
    let keys = StructMetadata.offsets(in: Choice.self)
    entries = zip(Mirror(reflecting: choice).children, keys).compactMap { child, key in
      guard let name = child.label, let content = child.value as? any DestinationCase else {
        return nil
      }
      return Entry(name: name, key: key, content: content)
    }
  }

  /// The key of the case that `path` leads to; one that no case has, and a report, if `path` is not
  /// to a stored property.
  static func key<Child>(_ path: KeyPath<Choice, Case<Child>>) -> Int {
    if let key = MemoryLayout<Choice>.offset(of: path) { return key }
    Issue.report(
      """
      '\(_typeName(Choice.self, qualified: false))' has a case that is not one of its stored \
      properties, so that it is never shown
        - write it as 'let name = Case(…)', in a struct
      """)
    return -1
  }

  func name(_ key: Int) -> String? { entries.first { $0.key == key }?.name }

  func entry(named name: String) -> Entry? { entries.first { $0.name == name } }

  subscript(key: Int) -> (any DestinationCase)? { entries.first { $0.key == key }?.content }

  /// What answers the actions of each child, by its key.
  func children() -> [Int: DestinationChild<Choice>] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.content.child(at: $0.key)) })
  }
}

/// The tables by the types of their lists.
private let knownTables = Mutex<[ObjectIdentifier: any Sendable]>([:])
