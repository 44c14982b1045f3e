internal import AppCore
internal import Glibc

/// The lines on standard error that say what the program does: as text, for the system's journal, or
/// as JSON.
package enum ErrorLog {
  /// How much a line matters; the number is syslog's.
  package enum Level: Int, CaseIterable, Sendable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    package var name: String { "\(self)" }

    package init?(name: String) {
      guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }
  }

  private enum Format {
    case text
    /// Text in which each line begins with its level, as `sd-daemon(3)` describes.
    case journal
    /// A JSON object a line.
    case json
  }

  // Set before there is a second thread; but for the name of the app, before the app begins.
  private nonisolated(unsafe) static var format = Format.text
  private nonisolated(unsafe) static var limit = Level.warning
  /// The name of the app, for a field of JSON.
  package nonisolated(unsafe) static var app: String?

  /// Whether lines are kept by a machine, so that nothing that people type may be in them.
  package static var isKept: Bool { format != .text }

  /// Begins to write lines in a format, those above a level not at all.
  ///
  /// `journalStream` is the variable `JOURNAL_STREAM`, the device and the number of the file that leads
  /// to the journal: if that is standard error, lines have their levels.
  package static func begin(isJSON: Bool, limit: Level, journalStream: String?) {
    self.limit = limit
    let status = Descriptor.status(STDERR_FILENO)
    let isJournal =
      journalStream != nil && journalStream == status.map { "\($0.st_dev):\($0.st_ino)" }
    format = isJSON ? .json : isJournal ? .journal : .text
  }

  /// Writes text of one or more lines; if that fails, there is nowhere left to report it.
  package static func write(
    _ text: String, _ level: Level = .warning, as content: OutputWriter.Content = .text,
    fields: [(name: String, value: JSONTree)] = []
  ) {
    guard level.rawValue <= limit.rawValue else { return }
    let (written, kind) =
      switch format {
      case .text: (text, content)
      case .journal: (lines(of: text).map { "<\(level.rawValue)>\($0)\n" }.joined(), .text)
      case .json: (object(lines(of: text).joined(separator: "\n"), level, fields), .json)
      }
    try? OutputWriter(descriptor: STDERR_FILENO, content: kind).write(written)
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: true)
  }

  private static func object(
    _ message: String, _ level: Level, _ fields: [(name: String, value: JSONTree)]
  ) -> String {
    let time = Instant(sinceEpoch: .nanoseconds(FileClock.now()))
    let own: [(name: String, value: JSONTree)] =
      [("time", .string("\(time)")), ("level", .string(level.name))]
      + (app.map { [("app", .string($0))] } ?? [])
    let text = message.hasPrefix("appcore: ") ? message.dropFirst("appcore: ".count) : message[...]
    return JSONTree.object(own + [("message", .string(String(text)))] + fields).line + "\n"
  }
}
