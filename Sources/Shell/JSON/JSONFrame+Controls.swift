@_spi(Host) internal import AppCore
internal import Support

extension JSONFrame {
  func write(_ control: ControlContent, _ number: Int, to json: inout JSONWriter) {
    json.beginObject()
    let kind =
      switch control.kind {
      case .button: "button"
      case .field: "field"
      case .toggle: "toggle"
      case .choice: "choice"
      }
    json.string(kind, "kind")
    json.int(number, "number")
    json.optional(control.id, "id")
    json.string(control.label, "label")
    switch control.kind {
    case .button: json.null("value")
    case .toggle(let isOn): json.bool(isOn, "value")
    case .choice(_, let selected): json.optional(selected, "value")
    case .field(let field): writeValue(field, to: &json)
    }
    json.bool(control.isEnabled, "enabled")
    switch control.kind {
    case .button, .toggle: break
    case .choice(let options, _):
      json.beginArray("options")
      for option in options {
        json.beginObject()
        json.string(option.id, "id")
        json.string(option.label, "label")
        json.endObject()
      }
      json.endArray()
    case .field(let field): writeDetails(field, to: &json)
    }
    if case .button = control.kind {} else { json.optional(control.problem, "problem") }
    json.endObject()
  }

  private func writeValue(_ field: FieldContent, to json: inout JSONWriter) {
    switch field.kind {
    case .text, .multiline: json.string(field.text, "value")
    case .secret: json.bool(field.isSet, "set")
    case .number:
      if let number = Double(field.text) {
        json.double(number, "value")
      } else {
        json.null("value")
      }
    }
  }

  private func writeDetails(_ field: FieldContent, to json: inout JSONWriter) {
    let type =
      switch field.kind {
      case .text: "text"
      case .multiline: "multiline"
      case .secret: "secret"
      case .number: "number"
      }
    json.string(type, "type")
    json.optional(field.placeholder, "placeholder")
  }

  func write(_ rows: PlacedRows, to json: inout JSONWriter) {
    json.beginObject()
    json.string(rows.columns == nil ? "list" : "table", "kind")
    json.optional(rows.id, "id")
    json.int(rows.offset, "offset")
    json.int(rows.total, "total")
    json.optional(rows.placeholder, "placeholder")
    if let columns = rows.columns {
      json.beginArray("columns")
      for column in columns {
        json.beginObject()
        json.string(column.title, "title")
        json.string(column.alignment == .trailing ? "trailing" : "leading", "alignment")
        json.endObject()
      }
      json.endArray()
    }
    json.beginArray("rows")
    for row in rows.rows { write(row, to: &json) }
    json.endArray()
    json.endObject()
  }

  /// Writes a row; one that can be chosen has the fields of every control.
  private func write(_ row: PlacedRows.Row, to json: inout JSONWriter) {
    json.beginObject()
    json.string("row", "kind")
    if let number = row.number { json.int(number, "number") }
    json.optional(row.id, "id")
    json.string(row.label, "label")
    if row.number != nil {
      json.null("value")
      json.bool(true, "enabled")
    }
    json.beginArray("cells")
    for cell in row.cells { json.string(cell) }
    json.endArray()
    if row.isFound { json.bool(true, "found") }
    json.endObject()
  }
}
