@_spi(Host) internal import AppCore
public import Navigation
internal import Shell
internal import Support

// Exported because a host reads the origins of records.
@_exported public import enum Sessions.ActionOrigin

/// One entry of an app's log: a line, or an action with the events that it caused.
///
/// Secrets are redacted: values for secret fields are left out, and `Secret` describes itself as
/// `<secret>`.
public struct ActionRecord: Hashable, Sendable {
  /// Its number, from 1; numbers are not reused.
  public let number: Int
  public let origin: ActionOrigin
  /// The line's number in a script, from 1; `nil` for lines from a terminal, and for actions.
  public let line: Int?
  /// The identifier of the instance and the name of its node; `nil` for lines and steps of the app.
  public let instance: String?
  public let node: String?
  /// A description; for a command or a refused line, the line as it was typed.
  public let text: String
  /// The same without what was typed and what the action contains: its case, the control, or the
  /// command.
  public let subject: String
  /// How long the reduction took, including the navigation that it caused and starting its effects.
  public let duration: Duration
  public let events: [NavigationEvent]
  /// Why the line was refused; `nil` if it was not.
  public let refusal: String?
  /// The code of the refusal; `nil` if the line was not refused.
  public let code: String?

  /// Whether the line, a navigation or an action was refused or dropped.
  public var failed: Bool { refusal != nil || failure != nil }

  /// The last event in which something was refused or dropped.
  package var failure: NavigationEvent? { events.last { $0.failure != nil } }
}

extension String {
  /// The text before the first occurrence of another one; the whole if there is none.
  fileprivate func prefix(upTo mark: String) -> Substring {
    firstRange(of: mark).map { self[..<$0.lowerBound] } ?? self[...]
  }
}

extension ActionLog {
  func record(_ entry: Entry, _ journal: Journal) -> ActionRecord {
    let events = journal.events(after: entry.events.lowerBound).prefix {
      $0.number <= entry.events.upperBound
    }
    var instance: String?
    var node: String?
    var lineNumber: Int?
    let origin: ActionOrigin
    let text: String
    var subject: String?
    switch entry.subject {
    case .activation(let activation, let line):
      origin = .line
      lineNumber = line
      text = Self.lead(line) + activation.description
      subject = Self.lead(line) + activation.description.prefix(upTo: " = ")
    case .typed(let typed, let line):
      origin = .line
      lineNumber = line
      text = Self.lead(line) + typed
      subject = Self.subject(ofLine: typed, line)
    case .notice(let notice):
      origin = .navigation
      text = notice
    case .action(let action, let index):
      origin = ActionOrigin(of: action)
      // Every step that the user asks for has an event.
      text = action.text ?? events.first.map(Self.text) ?? "a step"
      switch action {
      case .instance(let id, _):
        instance = "\(id)"
        node = index.map { graph.nodes[$0].name }
        subject = CrashReport.actionCase(text)
      case .navigate where text.hasPrefix(":"): subject = String(text.prefix(upTo: " "))
      default: break
      }
    }
    return ActionRecord(
      number: entry.number, origin: origin, line: lineNumber, instance: instance, node: node,
      text: text, subject: subject ?? text, duration: .nanoseconds(entry.duration),
      events: Array(events),
      refusal: entry.refusal?.message, code: entry.refusal?.code)
  }

  /// A line that was typed, without its argument; what is not a command may be anything.
  static func subject(ofLine typed: String, _ line: Int?) -> String {
    let word = typed.prefix(upTo: " ")
    let isCommand = word.hasPrefix(":") && ShellCommand.named[String(word.dropFirst())] != nil
    return lead(line) + (isCommand ? word : "a line")
  }

  static func lead(_ line: Int?) -> String { line.map { "line \($0): " } ?? "" }

  private static func text(_ event: NavigationEvent) -> String {
    switch event.origin {
    case .app: "the start of the app"
    case .person(let command): ":" + command
    case .instance, .formerInstance: event.text
    }
  }
}

/// The root reducer of an app: a router whose actions are logged and recorded as steps.
struct RecordingRouter: Reducer {
  let router: Router
  let log: ActionLog
  let recorder: StepRecorder?
  unowned let app: App

  func reduce(into state: inout AppState, action: AppAction) -> Effect<AppAction> {
    let first = state.journal.count
    var node: Int?
    if case .instance(let id, _) = action { node = state.node(of: id) }
    let start = log.now()
    let effect =
      if let recorder {
        recorder.tape.during { router.reduce(into: &state, action: action) }
      } else {
        router.reduce(into: &state, action: action)
      }
    // Before the log, which takes time itself; without a recorder the clock need not be read.
    let duration = recorder == nil ? 0 : log.now() - start
    if case .report(.effectEnded) = action { return effect }
    log.append(
      action, node: node, start: start, hasEffects: !effect.isNone,
      events: first..<state.journal.count)
    recorder?.capture(action, node: node, state, start: start, duration: duration, in: app)
    return effect
  }
}
