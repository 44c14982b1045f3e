@_spi(Host) internal import AppCore

/// The SDK's API reference in Markdown, generated from the compiler's symbol graphs.
///
/// There is a page for each folder of a module's sources. It lists the types in the order of the
/// sources, each with its members. Symbol links in comments become links to the symbol's type.
struct ReferencePages {
  /// The files' contents and their paths, relative to the reference's folder.
  let pages: [(path: String, text: String)]

  /// Makes the pages from symbol graphs, each the text of a `.symbols.json` file.
  ///
  /// - Throws: `JSONReader.Failure` if one is not JSON.
  init(graphs: [String]) throws {
    let symbols = try graphs.flatMap { try Self.symbols(JSONReader.value($0.utf8)) }
    let book = Book(symbols)
    pages = [("README.md", book.contents)] + book.pages.map { ($0.path, book.text(of: $0)) }
  }

  /// The symbols of one graph, in the order of the sources.
  private static func symbols(_ graph: Value) -> [Symbol] {
    let graph = Entry(graph)
    let module = graph["module"].text("name")
    let conformances = Dictionary(
      grouping: graph.list("relationships").filter { $0.text("kind") == "conformsTo" }
    ) { $0.text("source") }
    return graph.list("symbols").map { entry in
      let conformances = conformances[entry["identifier"].text("precise")] ?? []
      return Symbol(
        entry, module: module, conformances: conformances.map { $0.text("targetFallback") })
    }
    // Plugin authors don't call declarations in generated files.
    .filter { !$0.file.hasSuffix(".generated.swift") }
    .sorted { ($0.file, $0.line) < ($1.file, $1.line) }
  }
}

/// One public declaration.
private struct Symbol {
  let module: String
  /// The names from the outermost type to the declaration itself.
  let path: [String]
  let isType: Bool
  let declaration: String
  let comment: [String]
  let conformances: [String]
  /// The top-level folder in the module's sources that holds its file; empty if there is none.
  let folder: String
  let file: String
  let line: Int

  init(_ entry: Entry, module: String, conformances: [String]) {
    self.module = module
    path = entry.texts("pathComponents")
    isType = ["swift.struct", "swift.enum", "swift.class", "swift.protocol"]
      .contains(entry["kind"].text("identifier"))
    declaration = entry.list("declarationFragments").map { $0.text("spelling") }.joined()
    comment = entry["docComment"].list("lines").map { $0.text("text") }
    self.conformances = conformances.filter { !$0.isEmpty && $0 != "Swift.SendableMetatype" }
      .map { $0.hasPrefix("Swift.") ? String($0.dropFirst("Swift.".count)) : $0 }.sorted()
    file = entry["location"].text("uri")
    let below = file.split(separator: "/").split(separator: Substring(module)).last ?? []
    folder = below.count > 1 ? String(below[below.startIndex]) : ""
    line = entry["location"]["position"].number("line")
  }

  /// The qualified name, such as `Effect.Operation`.
  var name: String { path.joined(separator: ".") }
}

/// All symbols, grouped into pages.
private struct Book {
  struct Page {
    let module: String
    let title: String
    /// Types, global declarations, and extensions of types of other modules.
    var entries: [Symbol]
    var path: String { "\(module)/\(title).md" }
  }

  private(set) var pages: [Page] = []
  /// The members, by the qualified name of their type.
  private let members: [String: [Symbol]]
  /// The index in `pages` of the page that describes an entry, by the entry's name.
  private var places: [String: Int] = [:]

  init(_ symbols: [Symbol]) {
    let types = Set(symbols.filter(\.isType).map(\.name))
    let isEntry = { (symbol: Symbol) in symbol.isType || symbol.path.count == 1 }
    members = Dictionary(grouping: symbols.filter { !isEntry($0) }) {
      $0.path.dropLast().joined(separator: ".")
    }
    // Members added to types of the standard library, which have no entry in the reference.
    let foreign = members.filter { !types.contains($0.key) }.values.flatMap(\.self)
    for symbol in symbols where isEntry(symbol) {
      add(symbol, to: symbol.folder.isEmpty ? symbol.module : symbol.folder)
    }
    for symbol in foreign.sorted(by: { ($0.name, $0.line) < ($1.name, $1.line) }) {
      add(symbol, to: "Standard library")
    }
  }

  private mutating func add(_ symbol: Symbol, to title: String) {
    let known = pages.firstIndex { $0.module == symbol.module && $0.title == title }
    let index = known ?? pages.count
    if known == nil { pages.append(Page(module: symbol.module, title: title, entries: [])) }
    pages[index].entries.append(symbol)
    places[symbol.name] = index
  }

  /// The table of contents: a list of all pages with their entries.
  var contents: String {
    var text = "# Reference\n"
    for module in Self.unique(pages.map(\.module)) {
      text += "\n## \(module)\n\n"
      for page in pages where page.module == module {
        let names = Self.unique(page.entries.map { "`\($0.name)`" }).joined(separator: ", ")
        text += "- [\(page.title)](\(Self.escaped(page.path))): \(names)\n"
      }
    }
    return text
  }

  func text(of page: Page) -> String {
    var text = "# \(page.module): \(page.title)\n"
    for entry in page.entries {
      text += "\n## \(entry.name)\n\n" + description(of: entry, in: page)
      if !entry.conformances.isEmpty {
        let names = entry.conformances.map { "`\($0)`" }.joined(separator: ", ")
        text += "\nConforms to \(names).\n"
      }
      guard entry.isType else { continue }
      for member in members[entry.name] ?? [] where member.module == page.module {
        text += "\n**`\(member.path.last ?? "")`**\n\n" + description(of: member, in: page)
      }
    }
    return text
  }

  private func description(of symbol: Symbol, in page: Page) -> String {
    var text = "```swift\n\(symbol.declaration)\n```\n"
    if !symbol.comment.isEmpty { text += "\n" }
    var isCode = false
    for line in symbol.comment {
      if line.hasPrefix("```") { isCode.toggle() }
      text += (isCode ? line : linked(line, from: symbol, in: page)) + "\n"
    }
    return text
  }

  /// A line of a comment with its DocC symbol links replaced by Markdown links.
  private func linked(_ line: String, from symbol: Symbol, in page: Page) -> String {
    let pieces = line.split(separator: "``", omittingEmptySubsequences: false)
    guard pieces.count > 2 else { return line }
    return pieces.enumerated().map { index, piece in
      // A piece with an odd index is a link, unless its closing backticks are missing.
      guard index % 2 == 1, index < pieces.count - 1 else { return String(piece) }
      // In `merge(_:)-(Effect...)` the part from the hyphen on selects an overload.
      let words = piece.split(separator: "/").map { word in
        String(word.split(separator: "-(", omittingEmptySubsequences: false)[0])
      }
      let name = words.joined(separator: ".")
      guard let place = place(of: words, from: symbol) else { return "`\(name)`" }
      let target = pages[place.page]
      let file = target.path == page.path ? "" : "../" + Self.escaped(target.path)
      return "[`\(name)`](\(file)#\(Self.anchor(place.entry)))"
    }.joined()
  }

  /// The entry that a link leads to: the named symbol's own, or that of its type.
  ///
  /// As in Swift, a name is looked up from the innermost scope of the symbol outwards.
  private func place(of words: [String], from symbol: Symbol) -> (page: Int, entry: String)? {
    for outer in stride(from: symbol.path.count, through: 0, by: -1) {
      let path = Array(symbol.path.prefix(outer)) + words
      let name = path.joined(separator: ".")
      if let page = places[name] { return (page, name) }
      let owner = path.dropLast().joined(separator: ".")
      if let page = places[owner], members[owner]?.contains(where: { $0.path == path }) == true {
        return (page, owner)
      }
    }
    return nil
  }

  /// The anchor that a Markdown renderer makes of a heading.
  static func anchor(_ heading: String) -> String {
    String(heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
  }

  /// The texts without duplicates, in their order.
  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  private static func escaped(_ path: String) -> String {
    path.split(separator: " ").joined(separator: "%20")
  }
}
