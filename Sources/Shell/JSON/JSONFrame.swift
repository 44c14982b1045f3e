@_spi(Host) internal import AppCore
internal import Support

/// Writes a screen as one JSON object on one line; the order of the fields is always the same.
package struct JSONFrame {
  let number: Int
  let placement: Placement
  /// The version of the format that `schema/shell-1.json` describes; a version may gain fields.
  package static let version = 1

  func text() -> String {
    let chrome = placement.chrome
    let tabs = chrome.tabs.map { tab -> JSONTree in
      [
        "name": .string(tab.name), "title": .string(tab.title), "selected": .bool(tab.isSelected),
      ]
    }
    let notices = chrome.notices.map { notice in
      let tree: JSONTree = [
        "style": .string("\(notice.style)"), "text": .string(notice.text),
      ]
      return notice.code.map { tree.adding([("code", .string($0))]) } ?? tree
    }
    var fields: [(name: String, value: JSONTree)] = [
      ("screen", .int(number)), ("version", .int(Self.version)), ("path", JSONTree(chrome.path)),
      ("depth", .int(chrome.depth)), ("title", .string(placement.title)), ("tabs", .array(tabs)),
      ("modal", .bool(chrome.isModal)), ("notices", .array(notices)),
      ("settled", .bool(chrome.isSettled)),
    ]
    if let rewound = chrome.rewound {
      fields.append(("rewound", ["step": .int(rewound.step), "last": .int(rewound.last)]))
    }
    if let cause = chrome.cause { fields.append(("cause", Self.tree(cause))) }
    return JSONTree.object(fields + [("elements", .raw("[\(elements)]"))]).line
  }

  /// The elements, separated by commas: not one tree, since a plugin decides how deeply sections
  /// nest.
  private var elements: String {
    var text = ""
    for (element, _) in placement.elements {
      let json =
        switch element {
        case .plain(let element): Self.tree(element).line
        case .control(let control, let number): Self.tree(control, number).line
        case .rows(let rows): Self.tree(rows).line
        case .begin(.section(let title)):
          #"{"kind":"section","title":\#(JSONTree.quote(title)),"elements":["#
        case .begin(.columns): #"{"kind":"columns","elements":["#
        case .begin(.column): #"{"kind":"column","elements":["#
        case .end: "]}"
        }
      if !text.isEmpty, text.utf8.last != UInt8(ascii: "["), json != "]}" { text += "," }
      text += json
    }
    return text
  }

  /// The JSON object for a rejected line.
  ///
  /// It contains the line's number for programs that also receive the screens that effects cause.
  static func refusal(_ refusal: Rejection, line: Int? = nil) -> String {
    let tree: JSONTree = [
      "error": ["code": .string(refusal.code), "text": .string(refusal.message)]
    ]
    return (line.map { tree.adding([("line", .int($0))]) } ?? tree).line
  }

  private static func tree(_ cause: ScreenCause) -> JSONTree {
    var fields: [(name: String, value: JSONTree)] = [("origin", .string(cause.origin))]
    if let line = cause.line { fields.append(("line", .int(line))) }
    if let action = cause.action { fields.append(("action", .string(action))) }
    if let node = cause.node { fields.append(("node", .string(node))) }
    return .object(fields)
  }

  private static func tree(_ element: ScreenElement) -> JSONTree {
    switch element {
    case .heading(let text): return ["kind": "heading", "text": .string(text)]
    case .text(let text, let style):
      return ["kind": "text", "text": .string(text), "style": .string("\(style)")]
    case .preformatted(let text): return ["kind": "preformatted", "text": .string(text)]
    case .keyValues(let pairs):
      let trees = pairs.map { pair -> JSONTree in
        ["key": .string(pair.key), "value": .string(pair.value)]
      }
      return ["kind": "keyValues", "pairs": .array(trees)]
    case .divider: return ["kind": "divider"]
    case .progress(let progress):
      return [
        "kind": "progress", "label": .string(progress.label),
        "fraction": progress.fraction.map { .double($0) } ?? .null,
      ]
    case .sparkline(let series):
      let bounds = series.bounds.map { bounds -> JSONTree in
        ["minimum": .double(bounds.lowerBound), "maximum": .double(bounds.upperBound)]
      }
      return [
        "kind": "sparkline", "label": .string(series.label),
        "values": .array(series.values.map { .double($0) }), "unit": .string(series.unit),
        "bounds": bounds ?? .null,
      ]
    case .bars(let chart):
      let bars = chart.bars.map { bar -> JSONTree in
        ["label": .string(bar.label), "value": .double(bar.value)]
      }
      return [
        "kind": "bars", "bars": .array(bars), "unit": .string(chart.unit),
        "maximum": chart.maximum.map { .double($0) } ?? .null,
      ]
    case .control, .list, .table, .section, .columns: return [:]
    }
  }

  private static func tree(_ control: ControlContent, _ number: Int) -> JSONTree {
    let kind: JSONTree
    let value: (name: String, value: JSONTree)
    var details: [(name: String, value: JSONTree)] = [("problem", JSONTree(control.problem))]
    switch control.kind {
    case .button:
      (kind, value) = ("button", ("value", .null))
      details = []
      if let label = control.cancels { details.append(("cancels", .string(label))) }
    case .toggle(let isOn): (kind, value) = ("toggle", ("value", .bool(isOn)))
    case .choice(let options, let selected):
      (kind, value) = ("choice", ("value", JSONTree(selected)))
      let trees = options.map { option -> JSONTree in
        ["id": .string(option.id), "label": .string(option.label)]
      }
      details.insert(("options", .array(trees)), at: 0)
    case .field(let field):
      let type: JSONTree
      kind = "field"
      switch field.kind {
      case .text: (type, value) = ("text", ("value", .string(field.text)))
      case .multiline: (type, value) = ("multiline", ("value", .string(field.text)))
      case .date:
        (type, value) = ("date", ("value", field.isSet ? .string(field.text) : .null))
      case .secret: (type, value) = ("secret", ("set", .bool(field.isSet)))
      case .number:
        (type, value) = ("number", ("value", Double(field.text).map { .double($0) } ?? .null))
      }
      details = [("type", type), ("placeholder", JSONTree(field.placeholder))] + details
      if !field.suggestions.isEmpty {
        details.append(("suggestions", JSONTree(field.suggestions)))
      }
      if field.isLive { details.append(("live", true)) }
    }
    let fields: [(name: String, value: JSONTree)] = [
      ("kind", kind), ("number", .int(number)), ("id", JSONTree(control.id)),
      ("label", .string(control.label)), value, ("enabled", .bool(control.isEnabled)),
    ]
    return JSONTree.object(fields).adding(details)
  }

  private static func tree(_ rows: PlacedRows) -> JSONTree {
    var fields: [(name: String, value: JSONTree)] = [
      ("kind", rows.list.columns == nil ? "list" : "table"), ("id", JSONTree(rows.list.id)),
      ("offset", .int(rows.offset)), ("total", .int(rows.total)),
      ("placeholder", JSONTree(rows.list.placeholder)),
    ]
    if let columns = rows.list.columns {
      let trees = columns.map { column -> JSONTree in
        [
          "title": .string(column.title),
          "alignment": column.alignment == .trailing ? "trailing" : "leading",
        ]
      }
      fields.append(("columns", .array(trees)))
    }
    if rows.list.isSortable {
      fields.append(
        (
          "sort",
          [
            "column": JSONTree(rows.list.sort?.column),
            "descending": .bool(rows.list.sort?.isDescending ?? false),
          ]
        ))
    }
    if let count = rows.list.selectedCount { fields.append(("selected", .int(count))) }
    fields.append(("rows", .array(rows.rows.map(tree))))
    return .object(fields)
  }

  /// A row; one that can be chosen has the fields of every control.
  private static func tree(_ row: PlacedRows.Row) -> JSONTree {
    var fields: [(name: String, value: JSONTree)] = [("kind", "row")]
    if let number = row.number { fields.append(("number", .int(number))) }
    fields += [("id", JSONTree(row.id)), ("label", .string(row.label))]
    if row.number != nil { fields += [("value", .null), ("enabled", true)] }
    fields.append(("cells", JSONTree(row.cells)))
    if row.isFound { fields.append(("found", true)) }
    if let isSelected = row.isSelected { fields.append(("selected", .bool(isSelected))) }
    return .object(fields)
  }
}

/// A line of input that is a JSON object.
///
/// | object | like |
/// | --- | --- |
/// | `{"press": 3, "value": "x", "screen": 12}` | `3 x`, the number as of screen 12 |
/// | `{"id": "filter", "value": "x"}` | `@filter "x"` |
/// | `{"label": "Filter", "value": "x"}` | `"Filter" = "x"` |
/// | `{"line": ":back"}` | the line `:back` |
///
/// The value is a string, a number, `true` or `false`. A string is taken literally: it is not
/// decoded as JSON again, nor read as `<<END`.
struct JSONLine: Hashable {
  enum Target: Hashable {
    case number(Int)
    case identifier(String)
    case label(String)
    case line(String)
  }

  let target: Target
  let value: LineValue?
  /// The number of the screen that the line refers to; `nil` for the last one.
  let screen: Int?

  init(_ text: String) throws(Rejection) {
    let object: Value
    do {
      object = try JSONReader.value(text.utf8)
    } catch {
      throw .badJSON(error.reason, offset: error.offset)
    }
    guard case .object(let fields) = object else { throw .badJSON("an object is due") }
    let known = ["press", "id", "label", "line", "value", "screen"]
    if let name = fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw .badJSON(
        "there is no field \(JSONTree.quote(name)); there are \(known.joined(separator: ", "))")
    }
    let targets = known.prefix(4).filter { fields[$0] != nil }
    guard targets.count == 1, let name = targets.first, let field = fields[name] else {
      throw .badJSON("exactly one of press, id, label and line is due")
    }
    target = try Self.target(name, field)
    value = try Self.value(fields["value"])
    screen = try Self.screen(fields["screen"])
    if case .line = target, value != nil { throw .badJSON("a line has its value in it") }
  }

  private static func target(_ name: String, _ field: Value) throws(Rejection) -> Target {
    switch (name, field) {
    case ("press", .int(let number)): return .number(number)
    case ("press", _): throw .badJSON("press takes a whole number, not \(field.kind)")
    case (_, .string(let text)):
      let text = try text.withoutNUL()
      switch name {
      case "id": return .identifier(text)
      case "label": return .label(text)
      default:
        if text.contains(where: \.isNewline) { throw .badJSON("a line has no newline in it") }
        return .line(text)
      }
    default: throw .badJSON("\(name) takes a string, not \(field.kind)")
    }
  }

  private static func value(_ value: Value?) throws(Rejection) -> LineValue? {
    switch value {
    case nil, .null: return nil
    case .string(let text): return .text(try text.withoutNUL())
    case .int(let number): return .number(Double(number))
    case .double(let number): return .number(number)
    case .bool(let isTrue): return .bool(isTrue)
    case .array, .object: throw .badJSON("value takes a string, a number, true or false")
    }
  }

  private static func screen(_ value: Value?) throws(Rejection) -> Int? {
    switch value {
    case nil, .null: return nil
    case .int(let number): return number
    default: throw .badJSON("screen takes a whole number")
    }
  }
}
