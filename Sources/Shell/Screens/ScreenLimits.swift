@_spi(Host) internal import AppCore

/// The limits of what is shown: an enormous screen must not exhaust the shell's memory or hide the
/// prompt.
///
/// Lists and tables count as one element, whatever their length: of their rows only a page is made.
public enum ScreenLimits {
  /// How many elements, those inside sections and sections themselves included.
  public static let elements = 20_000
  /// How many lines all texts have together, as the feature breaks them.
  public static let lines = 20_000
  /// How many bytes all texts, labels and values that are shown have together.
  public static let bytes = 256 << 10
}

extension ScreenContent {
  /// The screen as far as it is shown, with a note where that is not all of it.
  ///
  /// - Complexity: O(n) in what is shown.
  func bounded() -> ScreenContent {
    var title = title
    var budget = ScreenBudget()
    guard !budget.admits(elements) || title.utf8.count > 1024 else { return self }
    if title.utf8.count > 1024 { title = title.cut(toBytes: 1024) + "…" }
    var bounded = self
    bounded.title = title
    bounded.elements = ScreenBudget.cut(elements)
    return bounded
  }
}

/// What is left of a screen's limits.
private struct ScreenBudget {
  private var elements = ScreenLimits.elements
  private var lines = ScreenLimits.lines
  private var bytes = ScreenLimits.bytes

  /// Whether all of it is within the limits; stops where it is not.
  mutating func admits(_ all: [ScreenElement]) -> Bool {
    for step in ElementWalk(all) {
      switch step {
      case .element(let element, _): guard take(element) else { return false }
      case .beginSection(let title, _): guard take(title) else { return false }
      case .endSection: break
      }
    }
    return true
  }

  /// The elements up to the limits, and the note.
  static func cut(_ all: [ScreenElement]) -> [ScreenElement] {
    var budget = ScreenBudget()
    // The sections that are open, the innermost last: no recursion, for a feature decides how deep.
    var open: [(title: String, elements: [ScreenElement])] = [("", [])]
    func append(_ element: ScreenElement) { open[open.count - 1].elements.append(element) }
    func close() {
      guard let section = open.popLast() else { return }
      append(.section(title: section.title, elements: section.elements))
    }
    var isCut = false
    /// Whether there is room for what comes next, if need be in what is kept for controls.
    func hasRoom(_ take: (inout ScreenBudget) -> Bool) -> Bool {
      if take(&budget) { return true }
      guard !isCut else { return false }
      isCut = true
      budget = .controls
      append(.text(note, .warning))
      return take(&budget)
    }
    walk: for step in ElementWalk(all) {
      switch step {
      case .element(let element, _) where element.isText:
        if isCut { continue }
        let before = budget
        if budget.take(element) {
          append(element)
          continue
        }
        if let head = before.head(of: element) { append(head) }
        isCut = true
        budget = .controls
        append(.text(note, .warning))
      case .element(let element, _):
        guard hasRoom({ $0.take(element) }) else { break walk }
        append(element)
      case .beginSection(let title, _):
        guard hasRoom({ $0.take(title) }) else { break walk }
        open.append((title, []))
      case .endSection: close()
      }
    }
    while open.count > 1 { close() }
    return open[0].elements
  }

  private static let note =
    "The screen is longer, and is cut here: at most \(ScreenLimits.elements) elements, "
    + "\(ScreenLimits.lines) lines and \(ScreenLimits.bytes >> 10) KiB of text are shown. "
    + "What follows are its controls."

  /// What is kept for controls behind texts that take all the rest: without them a person could not
  /// leave the screen by its own means.
  private static let controls = ScreenBudget(elements: 1000, lines: 1000, bytes: 64 << 10)

  private mutating func take(_ text: String) -> Bool {
    elements -= 1
    lines -= 1
    bytes -= text.utf8.count
    return elements >= 0 && lines >= 0 && bytes >= 0
  }

  private mutating func take(_ element: ScreenElement) -> Bool {
    elements -= 1
    switch element {
    case .heading(let text), .text(let text, _), .preformatted(let text):
      bytes -= text.utf8.count
      // What is too large anyway is not looked through.
      if bytes >= 0 { lines -= 1 + text.utf8.count { $0 == 0x0a } }
    case .keyValues(let pairs):
      lines -= pairs.count
      if lines >= 0 { for pair in pairs { bytes -= pair.key.utf8.count + pair.value.utf8.count } }
    case .control(let control):
      lines -= 1
      bytes -= control.label.utf8.count + (control.problem?.utf8.count ?? 0)
      if case .choice(let options, _) = control.kind {
        for option in options { bytes -= option.label.utf8.count }
      }
    case .progress(let progress):
      lines -= 1
      bytes -= progress.label.utf8.count
    case .divider, .sparkline, .bars, .list, .table, .section: lines -= 1
    }
    return elements >= 0 && lines >= 0 && bytes >= 0
  }

  /// The beginning of a text that does not fit.
  private func head(of element: ScreenElement) -> ScreenElement? {
    guard elements > 0, lines > 0, bytes > 0 else { return nil }
    return switch element {
    case .text(let text, let style): .text(head(of: text), style)
    case .preformatted(let text): .preformatted(head(of: text))
    default: nil
    }
  }

  private func head(of text: String) -> String {
    var lines = lines
    var end = 0
    for byte in text.utf8.prefix(bytes) {
      if byte == 0x0a {
        lines -= 1
        if lines == 0 { break }
      }
      end += 1
    }
    return text.cut(toBytes: end)
  }
}

extension ScreenElement {
  /// Whether it is there to be read alone.
  fileprivate var isText: Bool {
    switch self {
    case .heading, .text, .preformatted, .keyValues, .divider, .sparkline, .bars: true
    default: false
    }
  }
}

extension String {
  /// At most the first `count` bytes, whole scalars only.
  fileprivate func cut(toBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }
}
