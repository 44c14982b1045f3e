internal import Synchronization

/// The cases of a ``Destinations``: the names and offsets of its stored properties.
///
/// A case is identified by its key, the offset of its stored property in bytes, which can also be
/// read from a key path.
struct DestinationTable<Choice: Destinations>: Sendable {
  struct Entry: Sendable {
    let name: String
    let key: Int
    let content: any DestinationCase
  }
  let entries: [Entry]

  /// The table of lists of this type, created once.
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

  /// The key of the case at `path`.
  ///
  /// If `path` is not that of a stored property, this is reported, and the key is one that no case
  /// has.
  static func key<Child>(_ path: KeyPath<Choice, Case<Child>>) -> Int {
    if let key = MemoryLayout<Choice>.offset(of: path) { return key }
    RuntimeIssue.report(
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

  /// The runner of each child, by its key.
  func children() -> [Int: DestinationChild<Choice>] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.content.child(at: $0.key)) })
  }
}

/// The tables, by the types of their lists.
private let knownTables = Mutex<[ObjectIdentifier: any Sendable]>([:])
