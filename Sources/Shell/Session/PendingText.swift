internal import Support

/// A multi-line value that is being read, like a here-document of a shell.
///
/// All lines up to the end mark belong to it, even after it was rejected: they must not be
/// interpreted as commands.
struct PendingText: Sendable {
  let line: Line
  let end: String
  let seen: ShownScreen
  private var lines: [String] = []
  private var size = 0
  private var refusal: Rejection?
  /// The maximum size of all lines together, in bytes.
  static let limit = 16 << 20

  init(line: Line, end: String, seen: ShownScreen) {
    self.line = line
    self.end = end
    self.seen = seen
  }

  /// Rejects the text; only the first reason is kept.
  mutating func refuse(_ refusal: Rejection) {
    self.refusal = self.refusal ?? refusal
    lines = []
  }

  /// Adds a line; `true` if it was the end mark.
  mutating func add(_ bytes: some Collection<UInt8>) -> Bool {
    do {
      let text = try LineParser.text(bytes)
      if text == end { return true }
      guard refusal == nil else { return false }
      size += bytes.count + 1
      if size > Self.limit { throw Rejection.tooLong(limit: Self.limit) }
      lines.append(text)
    } catch let refusal as Rejection {
      refuse(refusal)
    } catch {}
    return false
  }

  /// The complete line, with the text as its value.
  func finished() throws(Rejection) -> Line {
    if let refusal { throw refusal }
    let value = LineValue.text(lines.joined(separator: "\n"))
    switch line {
    case .number(let number, _, let text): return .number(number, value: value, text: text)
    case .identifier(let id, _): return .identifier(id, value: value)
    case .label(let label, _): return .label(label, value: value)
    case .nothing, .command: return line
    }
  }
}

extension Line {
  /// The end mark of the line's text; `nil` if its value is not a text of several lines.
  var end: String? {
    switch self {
    case .number(_, .lines(let end), _), .identifier(_, .lines(let end)),
      .label(_, .lines(let end)):
      end
    default: nil
    }
  }
}
