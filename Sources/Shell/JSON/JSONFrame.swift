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
        case .beginSection(let title):
          #"{"kind":"section","title":\#(JSONTree.quote(title)),"elements":["#
        case .endSection: "]}"
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
    case .control, .list, .table, .section: return [:]
    }
  }

  private static func tree(_ control: ControlContent, _ number: Int) -> JSONTree {
    let kind: JSONTree
    let value: (name: String, value: JSONTree)
    var details: [(name: String, value: JSONTree)] = [("problem", JSONTree(control.problem))]
    switch control.kind {
    case .button: (kind, value, details) = ("button", ("value", .null), [])
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
      case .secret: (type, value) = ("secret", ("set", .bool(field.isSet)))
      case .number:
        (type, value) = ("number", ("value", Double(field.text).map { .double($0) } ?? .null))
      }
      details = [("type", type), ("placeholder", JSONTree(field.placeholder))] + details
    }
    let fields: [(name: String, value: JSONTree)] = [
      ("kind", kind), ("number", .int(number)), ("id", JSONTree(control.id)),
      ("label", .string(control.label)), value, ("enabled", .bool(control.isEnabled)),
    ]
    return JSONTree.object(fields).adding(details)
  }

  private static func tree(_ rows: PlacedRows) -> JSONTree {
    var fields: [(name: String, value: JSONTree)] = [
      ("kind", rows.columns == nil ? "list" : "table"), ("id", JSONTree(rows.id)),
      ("offset", .int(rows.offset)), ("total", .int(rows.total)),
      ("placeholder", JSONTree(rows.placeholder)),
    ]
    if let columns = rows.columns {
      let trees = columns.map { column -> JSONTree in
        [
          "title": .string(column.title),
          "alignment": column.alignment == .trailing ? "trailing" : "leading",
        ]
      }
      fields.append(("columns", .array(trees)))
    }
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
    return .object(fields)
  }
}
