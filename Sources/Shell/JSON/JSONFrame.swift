@_spi(Host) internal import AppCore
internal import Support

/// Writes a screen as one JSON object on one line; the order of the fields is always the same.
package struct JSONFrame {
  let number: Int
  let placement: Placement
  let title: String
  let chrome: Chrome

  /// The version of the format that `schema/shell-1.json` describes; a version may gain fields.
  package static let version = 1

  func text() -> String {
    var json = JSONWriter()
    json.beginObject()
    json.int(number, "screen")
    json.int(Self.version, "version")
    json.beginArray("path")
    for name in chrome.path { json.string(name) }
    json.endArray()
    json.int(chrome.depth, "depth")
    json.string(title, "title")
    json.beginArray("tabs")
    for tab in chrome.tabs {
      json.beginObject()
      json.string(tab.name, "name")
      json.string(tab.title, "title")
      json.bool(tab.isSelected, "selected")
      json.endObject()
    }
    json.endArray()
    json.bool(chrome.isModal, "modal")
    json.beginArray("notices")
    for notice in chrome.notices {
      json.beginObject()
      json.string(Self.name(notice.style), "style")
      json.string(notice.text, "text")
      if let code = notice.code { json.string(code, "code") }
      json.endObject()
    }
    json.endArray()
    json.bool(chrome.isSettled, "settled")
    if let rewound = chrome.rewound {
      json.beginObject("rewound")
      json.int(rewound.step, "step")
      json.int(rewound.last, "last")
      json.endObject()
    }
    if let cause = chrome.cause { write(cause, to: &json) }
    json.beginArray("elements")
    for (element, _) in placement.elements { write(element, to: &json) }
    json.endArray()
    json.endObject()
    return json.text
  }

  private func write(_ cause: ScreenCause, to json: inout JSONWriter) {
    json.beginObject("cause")
    json.string(cause.origin, "origin")
    if let line = cause.line { json.int(line, "line") }
    if let action = cause.action { json.string(action, "action") }
    if let node = cause.node { json.string(node, "node") }
    json.endObject()
  }

  /// The JSON object for a rejected line.
  ///
  /// It contains the line's number for programs that also receive the screens that effects cause.
  static func refusal(_ refusal: Rejection, line: Int? = nil) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.beginObject("error")
    json.string(refusal.code, "code")
    json.string(refusal.message, "text")
    json.endObject()
    if let line { json.int(line, "line") }
    json.endObject()
    return json.text
  }

  private func write(_ element: Placement.Element, to json: inout JSONWriter) {
    switch element {
    case .plain(let element): write(element, to: &json)
    case .control(let control, let number): write(control, number, to: &json)
    case .rows(let rows): write(rows, to: &json)
    case .beginSection(let title):
      json.beginObject()
      json.string("section", "kind")
      json.string(title, "title")
      json.beginArray("elements")
    case .endSection:
      json.endArray()
      json.endObject()
    }
  }

  private func write(_ element: ScreenElement, to json: inout JSONWriter) {
    json.beginObject()
    switch element {
    case .heading(let text):
      json.string("heading", "kind")
      json.string(text, "text")
    case .text(let text, let style):
      json.string("text", "kind")
      json.string(text, "text")
      json.string(Self.name(style), "style")
    case .preformatted(let text):
      json.string("preformatted", "kind")
      json.string(text, "text")
    case .keyValues(let pairs):
      json.string("keyValues", "kind")
      json.beginArray("pairs")
      for pair in pairs {
        json.beginObject()
        json.string(pair.key, "key")
        json.string(pair.value, "value")
        json.endObject()
      }
      json.endArray()
    case .divider: json.string("divider", "kind")
    case .progress(let progress):
      json.string("progress", "kind")
      json.string(progress.label, "label")
      if let fraction = progress.fraction {
        json.double(fraction, "fraction")
      } else {
        json.null("fraction")
      }
    case .sparkline(let series): write(series, to: &json)
    case .bars(let chart): write(chart, to: &json)
    case .control, .list, .table, .section: break
    }
    json.endObject()
  }

  private func write(_ series: SeriesContent, to json: inout JSONWriter) {
    json.string("sparkline", "kind")
    json.string(series.label, "label")
    json.beginArray("values")
    for value in series.values { json.double(value) }
    json.endArray()
    json.string(series.unit, "unit")
    if let bounds = series.bounds {
      json.beginObject("bounds")
      json.double(bounds.lowerBound, "minimum")
      json.double(bounds.upperBound, "maximum")
      json.endObject()
    } else {
      json.null("bounds")
    }
  }

  private func write(_ chart: BarsContent, to json: inout JSONWriter) {
    json.string("bars", "kind")
    json.beginArray("bars")
    for bar in chart.bars {
      json.beginObject()
      json.string(bar.label, "label")
      json.double(bar.value, "value")
      json.endObject()
    }
    json.endArray()
    json.string(chart.unit, "unit")
    if let maximum = chart.maximum {
      json.double(maximum, "maximum")
    } else {
      json.null("maximum")
    }
  }

  private static func name(_ style: TextStyle) -> String {
    switch style {
    case .plain: "plain"
    case .secondary: "secondary"
    case .success: "success"
    case .warning: "warning"
    case .error: "error"
    @unknown default: "plain"
    }
  }
}
