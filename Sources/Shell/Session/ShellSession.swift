@_spi(Host) internal import AppCore
public import Support

/// The state of a conversation: turns screens into lines to print, and input lines into intents.
///
/// Its life, in this order:
/// 1. ``frame(_:)`` numbers a screen and its controls, and returns the lines to print.
/// 2. ``interpret(_:on:seenScreen:)`` reads a line. Numbers refer to the controls of the screen
///    that was seen, if the current screen still has them.
/// 3. The caller carries out the ``Intent`` and continues with 1.
/// 4. ``end()`` checks whether the input is complete.
///
/// It does no input or output and has no app logic: a rejected line changes nothing.
public struct ShellSession: Sendable {
  /// The settings; they may change at any time, like a terminal's size.
  public var settings: SessionSettings {
    didSet { if settings.windowRows == nil { paging.pageSize = settings.pageSize } }
  }
  /// The number of the last screen; 0 before the first.
  public private(set) var screenNumber = 0
  /// Where the lines of the last screen show what; empty for linear text and JSON.
  package private(set) var layout = ScreenLayout()
  /// The control to which the last line has given a value; `nil` if it did something else.
  private var activated: Activation?
  var paging: Paging
  /// The last screens, the newest last.
  private var shown: [ShownScreen] = []
  private(set) var pending: PendingText?
  /// The number of earlier screens that a line may refer to; consecutive screens with the same
  /// controls count once.
  private static let memory = 64

  /// Creates a session that has shown nothing.
  public init(_ settings: SessionSettings = SessionSettings()) {
    self.settings = settings
    paging = Paging(pageSize: settings.pageSize)
  }

  /// Numbers the screen and its controls, and returns its lines, without newlines.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the output. Rows of other pages are not
  ///   created.
  public mutating func frame(_ screen: ShellScreen) -> [String] {
    if let rows = settings.windowRows { fitPages(of: screen, into: rows) }
    let placement = Placement(screen, paging: paging)
    screenNumber += 1
    remember(placement.controls, owner: screen.owner)
    guard case .text(let style) = settings.format, !style.isLinear else {
      return lines(of: placement)
    }
    let (lines, layout) = TextFrame(placement, width: settings.width, style: style).lines()
    self.layout = layout
    let target = activated.flatMap { activated in
      placement.controls.first { $0.identity == activated.identity }
    }
    self.layout.focus = target.flatMap { target in
      layout.controls.first { $0.numbers.contains(target.number) }?.lines
    }
    return lines
  }

  /// Whether the last screen has a secret field.
  public var asksForSecrets: Bool { lastShown.hasSecret }

  /// Continues after the number of the last screen that a previous process has shown.
  public mutating func continueNumbers(after number: Int) { screenNumber = number }

  func lines(of placement: Placement) -> [String] {
    switch settings.format {
    case .json: [JSONFrame(number: screenNumber, placement: placement).text()]
    case .text(let style) where style.isLinear: LinearFrame(placement).lines()
    case .text(let style): TextFrame(placement, width: settings.width, style: style).lines().lines
    }
  }

  /// Notes what the caller does about a line, so that ``layout`` says where its control is.
  package mutating func willCarryOut(_ intent: Intent) {
    if case .activate(let activation) = intent, activation.givesValue {
      activated = activation
    } else {
      activated = nil
    }
  }

  /// Interprets a line, or the next line of an unfinished text, without its newline.
  ///
  /// `seenScreen` is the number of the screen that was shown when the line was begun; `nil` for the
  /// last one. A JSON line may name a different one.
  public mutating func interpret(
    _ bytes: some Collection<UInt8>, on screen: ShellScreen, seenScreen: Int? = nil
  ) -> Intent {
    if pending != nil { return addPending(bytes, on: screen) }
    return Self.intent { () throws(Rejection) in
      let text = try LineParser.text(bytes)
      if isObject(text) {
        return try read(JSONLine(text), on: screen)
      }
      let line = try line(text)
      return try read(line, on: screen, seen: seen(seenScreen, by: line))
    }
  }

  /// Rejects a line that was longer than `limit` bytes; an unfinished text is rejected at its end.
  public mutating func refuseTooLong(limit: Int) -> Intent {
    guard pending != nil else { return .refused(.tooLong(limit: limit)) }
    pending?.refuse(.tooLong(limit: limit))
    return .needsMoreLines
  }

  /// Interprets an answer to `prompt`, which is taken literally.
  public func answer(
    _ prompt: Prompt, with bytes: some Collection<UInt8>, on screen: ShellScreen
  ) -> Intent {
    Self.intent { () throws(Rejection) in
      let text = try LineParser.text(bytes)
      let seen = shown.last { $0.wasScreen(prompt.screen) }
      return try resolver(screen, seen ?? lastShown, canAsk: false).answer(prompt, text)
    }
  }

  /// Handles the end of the input: returns ``Intent/nothing``, or rejects an unfinished text.
  public mutating func end() -> Intent {
    guard let pending else { return .nothing }
    self.pending = nil
    return .refused(.unterminatedText(end: pending.end))
  }

  /// Abandons an unfinished text, for example on an interrupt.
  public mutating func cancelText() { pending = nil }

  /// Continues within a text whose beginning another process has read.
  ///
  /// Its remaining lines are not commands; the text is rejected at its end. `opening` is the line
  /// that began it, as in logs.
  package mutating func continueText(_ opening: String, end: String, refusing reason: Rejection) {
    var text = PendingText(line: .nothing, end: end, seen: lastShown)
    text.opening = opening
    text.refuse(reason)
    pending = text
  }

  /// Whether the next line belongs to an unfinished text.
  public var isInText: Bool { pending != nil }

  /// The lines that report a rejection, wrapped to the width and safe to print; with JSON one object.
  ///
  /// `line` is the line's number in a script, counted from 1; `nil` if a user typed it.
  public func lines(for refusal: Rejection, line: Int? = nil) -> [String] {
    if settings.isJSON {
      return [JSONFrame.refusal(refusal, line: settings.includesCauses ? line : nil)]
    }
    let style = settings.errorStyle ?? settings.textStyle
    if let name = settings.scriptName, let line {
      // The format of compilers, so that editors find the line.
      let text = SafeText.paragraph("\(SafeText.line(name)):\(line): error: \(refusal)")
      return SafeText.lines(text).enumerated().map { index, line in
        let line = index == 0 ? line : "  " + line
        return style.hasColor ? StyledLine(line, .error).text(style) : line
      }
    }
    let lead = line.map { "line \($0): " } ?? ""
    if style.isLinear { return LinearFrame.marked(lead + refusal.description, .error) }
    return TextFrame.marked(lead + refusal.description, .error, width: max(settings.width, 20))
      .map { $0.text(style) }
  }

  private mutating func remember(_ controls: [NumberedControl], owner: String) {
    // A screen that only counts seconds must not make a line stale while it is being typed.
    if let last = shown.last, last.owner == owner, last.controls == controls {
      shown[shown.count - 1].number = screenNumber
      return
    }
    shown.append(ShownScreen(number: screenNumber, owner: owner, controls: controls))
    if shown.count > Self.memory { shown.removeFirst() }
  }

  var lastShown: ShownScreen {
    shown.last ?? ShownScreen(number: screenNumber, owner: "", controls: [])
  }

  /// Whether the user may be asked for a missing value.
  private var canAsk: Bool { settings.isInteractive && !settings.isJSON }

  func resolver(
    _ screen: ShellScreen, _ seen: ShownScreen, canAsk: Bool
  ) -> ControlResolver {
    ControlResolver(index: ControlIndex(screen), shown: seen, canAsk: canAsk)
  }

  /// Whether a line is read as a JSON object.
  func isObject(_ text: String) -> Bool {
    settings.isJSON && text.utf8.first { $0 != 0x20 && $0 != 0x09 } == 0x7b
  }

  private static func intent(_ body: () throws(Rejection) -> Intent) -> Intent {
    do { return try body() } catch { return .refused(error) }
  }

  private func line(_ text: String) throws(Rejection) -> Line {
    try LineParser(supported: settings.commands).parse(text)
  }

  /// The screen with a number, or the last one without; `nil` if it is not known any more or not yet.
  func screen(_ number: Int?) -> ShownScreen? {
    guard let number else { return lastShown }
    return shown.last { $0.wasScreen(number) }
  }

  /// The screen on which a line was begun, to whose controls its number refers.
  ///
  /// A line without one refers to nothing that was seen, so it is taken however long it was typed.
  private func seen(_ number: Int?, by line: Line) throws(Rejection) -> ShownScreen {
    guard line.hasNumber else { return lastShown }
    guard let seen = screen(number) else {
      throw Rejection(
        .stale, "the screen has changed too often since this line was begun; look at it again")
    }
    return seen
  }

  private mutating func read(_ json: JSONLine, on screen: ShellScreen) throws(Rejection) -> Intent {
    guard let seen = self.screen(json.screen) else {
      throw Rejection(
        .noSuchScreen,
        "screen \(json.screen ?? 0) isn't known any more or not yet; the last one is \(screenNumber)"
      )
    }
    switch json.target {
    case .line(let text):
      let line = try line(text)
      if line.end != nil { throw .badJSON("a text of several lines is written as value") }
      return try read(line, on: screen, seen: seen)
    case .number(let number):
      return try resolver(screen, seen, canAsk: false).press(number, value: json.value)
    case .identifier(let id):
      try checkOwner(json, seen, screen, label: id)
      return try read(.identifier(id, value: json.value), on: screen, seen: seen)
    case .label(let label):
      try checkOwner(json, seen, screen, label: label)
      return try read(.label(label, value: json.value), on: screen, seen: seen)
    }
  }

  /// Rejects a line that names a screen of an instance that is no longer the current one.
  private func checkOwner(
    _ json: JSONLine, _ seen: ShownScreen, _ screen: ShellScreen, label: String
  ) throws(Rejection) {
    guard json.screen != nil, seen.owner != screen.owner else { return }
    throw .stale(ControlReference(number: nil, label: label, id: nil), screen: seen.number)
  }

  private mutating func read(
    _ line: Line, on screen: ShellScreen, seen: ShownScreen
  ) throws(Rejection) -> Intent {
    if let end = line.end {
      pending = PendingText(line: line, end: end, seen: seen)
      return .needsMoreLines
    }
    switch line {
    case .nothing: return .nothing
    case .command(let command): return try carryOut(command, on: screen, seen: seen)
    case .number, .identifier, .label:
      return try resolver(screen, seen, canAsk: canAsk).resolve(line)
    }
  }

  private mutating func carryOut(
    _ command: Command, on screen: ShellScreen, seen: ShownScreen
  ) throws(Rejection) -> Intent {
    let index = ControlIndex(screen)
    let lists = index.lists
    switch command {
    case .press(let number):
      return try resolver(screen, seen, canAsk: canAsk).press(number)
    case .next: try paging.turn(forward: true, in: lists)
    case .previous: try paging.turn(forward: false, in: lists)
    case .page(let number): try paging.show(page: number, in: lists)
    case .find(let text): try paging.find(text, in: lists)
    case .sort(let column): return .activate(try index.sorting(column))
    default: return .command(command)
    }
    return .redraw
  }

  private mutating func addPending(
    _ bytes: some Collection<UInt8>, on screen: ShellScreen
  ) -> Intent {
    guard pending?.add(bytes) == true, let text = pending else { return .needsMoreLines }
    pending = nil
    return Self.intent { () throws(Rejection) in
      try read(try text.finished(), on: screen, seen: text.seen)
    }
  }
}

/// What the caller has to do about a line.
public enum Intent: Hashable, Sendable {
  /// A blank line or a comment: nothing, not even a new screen.
  case nothing
  /// The line belongs to a text that is not complete.
  case needsMoreLines
  /// Send the input to the control.
  case activate(Activation)
  /// Carry out the command, which is never a paging command or `:press`.
  case command(Command)
  /// Ask for a value, and pass it to ``ShellSession/answer(_:with:on:)``.
  case prompt(Prompt)
  /// Print the screen again: the page of a list has changed.
  case redraw
  /// Report the reason, and change nothing.
  case refused(Rejection)
}

public struct SessionSettings: Sendable {
  public enum Format: Sendable {
    case text(Style)
    case json
  }

  public var format: Format
  /// Whether a user can be asked for a missing value.
  public var isInteractive: Bool
  public var width: Int
  /// The number of rows on a page of a list if `windowRows` is `nil`.
  public var pageSize: Int
  /// The number of rows of the window; `nil` if there is no window.
  ///
  /// With a window, a page of a list is as long as the window allows.
  public var windowRows: Int?
  public var commands: Set<ShellCommand>
  /// Whether JSON output includes the cause of each screen and the number of a rejected line, for
  /// programs that also receive the screens that effects cause.
  public var includesCauses = false
  /// The script's name in messages, such as its path; `nil` for lines from a pipe.
  public var scriptName: String?
  /// The style of rejections if they go to a different stream than screens.
  public var errorStyle: Style?

  /// Creates settings; the defaults are those of a script.
  public init(
    format: Format = .text(.plain), isInteractive: Bool = false, width: Int = 80,
    pageSize: Int = 20, commands: Set<ShellCommand> = Set(ShellCommand.all)
  ) {
    self.format = format
    self.isInteractive = isInteractive
    self.width = width
    self.pageSize = pageSize
    self.commands = commands
  }

  /// The style of text; plain if the format is JSON.
  public var textStyle: Style { if case .text(let style) = format { style } else { .plain } }

  var isJSON: Bool { if case .json = format { true } else { false } }
}
