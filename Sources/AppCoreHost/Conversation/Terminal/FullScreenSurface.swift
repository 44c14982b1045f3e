internal import FullScreen
internal import Glibc
internal import LineEditor
internal import Shell
internal import Supervision
internal import Support

/// A terminal that shows screens full screen, and takes keys.
///
/// The app's thread handles the keys and draws the pictures; this writes what has changed since the
/// last one, at most 30 times a second. While the app works, keys wait, of which those for a field
/// are shown in it, and a newer picture replaces one that was not written: however slow the terminal,
/// nothing is queued.
final class FullScreenSurface: Surface {
  private let events: TerminalEvents
  private let mailbox: Mailbox
  private let output = OutputWriter(content: .drawing)
  private let palette: Palette
  private var size = GridSize(.of(StandardOutput.descriptor))
  private var decoder = KeyDecoder()
  var stage = TerminalStage.app
  /// Keys that were read and not handled yet, each with the number of the picture that was shown then,
  /// and those that the app was given and has not handled, with the count of all that it was given.
  private var keys: [SeenKey] = []
  private var givenKeys: [KeyPress] = []
  private var givenKeyCount = 0
  /// The latest picture of the app, and what the terminal shows; `nil` if that is not known.
  private var latest: Picture?
  private var shown: Picture?
  /// The number of the picture that was written last; 0 before the first.
  private var shownNumber = 0
  /// What the app's thread can't tell, since it may be blocked: reports, and that it is at work.
  private var reports: [String] = []
  private var status: String?
  private var isBusy = false
  /// When the last picture was written, and since when the app has been at work, in nanoseconds.
  private var lastWrite = 0
  private var workStart: Int?

  private static let writeInterval = 33_000_000
  private static let busyDelay = 500_000_000
  private static let keyLimit = 10_000
  private static let reportLimit = 100

  init(_ events: TerminalEvents, _ mailbox: Mailbox) {
    self.events = events
    self.mailbox = mailbox
    palette = Palette(
      hasColor: TerminalFacts(descriptor: StandardOutput.descriptor).hasColor,
      hasUnicode: Self.hasUnicode, depth: TerminalColor.Depth())
  }

  let seenEventCount = 0
  var pictureSize: GridSize? { size }

  /// Why a terminal can't show screens full screen; `nil` if it can.
  static var obstacle: String? {
    let terminal = TerminalFacts.variable("TERM") ?? ""
    if ["", "dumb"].contains(terminal) { return "this terminal (TERM=\(terminal)) can't show it" }
    let size = GridSize(.of(StandardOutput.descriptor))
    return size.isUsable ? nil : "it needs 20 × 5 cells; there are \(size.columns) × \(size.rows)"
  }

  /// Whether the locale's characters are those of Unicode; so they are if none is set.
  private static var hasUnicode: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(TerminalFacts.variable)
    guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  func open(greeting: [String]?) {
    events.beginNotices(interrupts: false)
    takeOver()
    // It may have changed before there were notices of that.
    resize()
  }

  func close() {
    TerminalModes.restore()
    SharedCrashPage.current?.isFullScreen = false
    events.endNotices()
  }

  func next() throws(InputOutputError) -> TerminalInput {
    if let input = takeKeys() { return input }
    let isSearching = !stage.isApp && latest?.isUnfinished == true
    let now = MonotonicTime.now()
    if stage.isApp, workStart == nil { workStart = now }
    let writing = try write(now)
    let busy = stage.isApp && !isBusy ? (workStart ?? now) + Self.busyDelay : nil
    switch events.next(until: isSearching ? [now] : [writing, decoder.deadline, busy]) {
    case .bytes(let bytes): take(decoder.keys(bytes))
    case .timedOut:
      take(decoder.overdueKeys())
      if let busy, busy <= MonotonicTime.now() { isBusy = true }
    case .end: return .closed
    case .notice(.resized): resize()
    case .notice(.continued): resume()
    case .notice(.interrupted): take([.control("c")])
    case .woken: break
    }
    return takeKeys() ?? (isSearching ? .keys([]) : .nothing)
  }

  private func take(_ read: [KeyPress]) {
    for key in read where keys.count < Self.keyLimit || isOwn(key) {
      keys.append((key, shownNumber))
    }
  }

  /// The keys for the app, without those that the terminal's owner handles.
  private func takeKeys() -> TerminalInput? {
    while let index = keys.firstIndex(where: { isOwn($0.key) }) {
      let (key, _) = keys.remove(at: index)
      switch key {
      case .control("z"): suspend()
      case .control("\\"): quit()
      case .control("l"): shown = nil
      default:
        keys.removeFirst(index)
        return .cancelled
      }
    }
    guard !stage.isApp, !keys.isEmpty else { return nil }
    defer { keys = [] }
    reports = []
    givenKeys += keys.map(\.key)
    givenKeyCount += keys.count
    return .keys(keys)
  }

  func removeKeys() -> [SeenKey] {
    defer { keys = [] }
    return keys
  }

  func type(_ keys: [SeenKey]) { self.keys = keys + self.keys }

  /// Whether a key is not for the app: it stops or ends the process, draws everything again, or
  /// interrupts the app's work.
  private func isOwn(_ key: KeyPress) -> Bool {
    switch key {
    case .control("z"), .control("\\"): mailbox.mayLeave
    case .control("l"): true
    // The app may still be busy with keys that it was given before Ctrl-C was pressed first.
    case .control("c"): stage.isApp || !givenKeys.isEmpty
    default: false
    }
  }

  /// Writes what has changed; returns when it may be written, in nanoseconds, if that is later.
  private func write(_ now: Int) throws(InputOutputError) -> Int? {
    let messages = messages
    // Before the first picture, messages are shown alone.
    let blank = messages.isEmpty ? nil : Picture(Grid(size))
    guard var picture = latest ?? blank, picture.grid.size == size else { return nil }
    picture = picture.echoing(givenKeys + keys.map(\.key))
    picture.overlay(messages)
    guard picture != shown else {
      shownNumber = picture.number
      return nil
    }
    guard now - lastWrite >= Self.writeInterval else { return lastWrite + Self.writeInterval }
    try output.write(picture.text(after: shown, palette))
    (shown, lastWrite, shownNumber) = (picture, now, picture.number)
    return nil
  }

  private var messages: [String] {
    let work = isBusy ? ["… the app is at work; Ctrl-C gives up waiting"] : []
    return reports.suffix(3) + (status.map { [$0] } ?? work)
  }

  func ask(remark: String?) {
    isBusy = false
    workStart = nil
    if let remark { reports = [remark] }
  }

  func cancel(telling message: String?) { reports = message.map { [$0] } ?? [] }

  func show(first frame: TerminalFrame, telling message: String?) {
    // The picture has the message already, as a notice that stays until the first action.
    take(frame.picture)
  }

  func show(_ reply: TerminalReply) { take(reply.frame.picture) }

  func update(_ frame: TerminalFrame) { take(frame.picture) }

  /// Takes a picture of the app, unless a later one was taken.
  private func take(_ picture: Picture?) {
    guard let picture, picture.number >= latest?.number ?? 0 else { return }
    latest = picture
    givenKeys = givenKeys.suffix(max(givenKeyCount - picture.keyCount, 0))
    // It was drawn before the app knew of the terminal's size.
    if picture.grid.size != size { mailbox.show(fullScreen: size) }
  }

  func print(_ lines: [String]) { mailbox.show(output: lines) }

  func report(_ line: String) { reports = (reports + [line]).suffix(Self.reportLimit) }

  func show(status: String?) { self.status = status }

  private func resize() {
    let size = GridSize(.of(StandardOutput.descriptor))
    guard size != self.size else { return }
    (self.size, shown) = (size, nil)
    mailbox.show(fullScreen: size)
  }

  private func takeOver() {
    TerminalModes.enter(.screen, input: STDIN_FILENO, output: StandardOutput.descriptor)
    SharedCrashPage.current?.isFullScreen = true
    shown = nil
  }

  /// Ctrl-Z: gives the terminal back, stops the process group, and takes the terminal over again.
  private func suspend() {
    TerminalModes.restore()
    events.stopJob()
    resume()
  }

  private func resume() {
    takeOver()
    resize()
  }
}

extension GridSize {
  init(_ size: TerminalSize) { self.init(columns: size.columns, rows: size.rows) }
}
