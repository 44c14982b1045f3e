/// The keys of the grammar.
enum Keyword: String, CaseIterable, Sendable {
  case appcore, name, title, vars, include, plugins, start, nodes, routes, links, background
  case session, requires
  case `default`, env
  case path, version, load, with
  case feature, tabs, maxDepth, was, node
  case from, action, `do`
  case push, present, replace, select, popTo, reset, notify, back, dismiss, ignore
  case `as`, toAll, inclusive, singleTop, ifCovered
  case open, needs
  case keep

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let keyword = Self.named[String(decoding: bytes, as: UTF8.self)] else { return nil }
    self = keyword
  }

  /// The verb with the same name; `nil` if there is none.
  var verb: Verb? { Verb(rawValue: rawValue) }

  // `init(rawValue:)` compares with one case after another.
  private static let named = Dictionary(
    uniqueKeysWithValues: Self.allCases.map { ($0.rawValue, $0) })
}
