public import AppCoreHost
internal import CrashReporting
internal import Glibc
internal import Sessions
public import Support
internal import Synchronization

/// Runs an app by the lines of a pipe, a file or a text.
///
/// The first screen, and then one after each line, is printed when it has settled. Without JSON
/// the first refused line ends the script with status 65.
public struct ScriptRunner {
  private let app: App
  private let isJSON: Bool
  private let output: ScriptOutput
  private let errors: OutputWriter
  private let followsPlugins: Bool
  private let isLive: Bool
  private let session: AppSession?

  /// How many lines are carried out at a time, where so many have come.
  private static let batch = 256

  /// Creates a runner that prints to standard output, and refusals to standard error.
  ///
  /// - Parameters:
  ///   - app: what is run.
  ///   - isJSON: whether each screen is one JSON object.
  ///   - followsPlugins: whether plugins are loaded again when their files change; the screen is
  ///     printed then, too.
  ///   - isLive: whether a screen is printed whenever effects alone have changed it, too.
  public init(_ app: App, isJSON: Bool, followsPlugins: Bool = false, isLive: Bool = false) {
    self.init(app, nil, isJSON: isJSON, followsPlugins: followsPlugins, isLive: isLive)
  }

  /// The same for an app of which something outlives the process.
  package init(
    _ app: App, _ session: AppSession?, isJSON: Bool, followsPlugins: Bool, isLive: Bool
  ) {
    self.app = app
    self.session = session
    self.isLive = isLive
    self.followsPlugins = followsPlugins
    self.isJSON = isJSON
    output = ScriptOutput(OutputWriter(content: isJSON ? .json : .styled))
    errors = OutputWriter(descriptor: STDERR_FILENO)
  }

  /// Runs the app to the end of the lines.
  ///
  /// Blocks its thread, which must be no task's.
  ///
  /// - Parameter reader: where the lines come from; a byte order mark before the first is skipped.
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` where a line can't be read or a screen not be written.
  public func run(_ reader: consuming LineReader) throws(InputOutputError) -> Int32 {
    let (app, isJSON, output) = (app, isJSON, output)
    var number = try begin(&reader)
    if let failure = output.failure { throw failure }
    let follower = isLive ? Task { await app.follow(printingTo: output) } : nil
    defer { follower?.cancel() }
    if followsPlugins { follow() }
    defer { if followsPlugins { waitFor { try? await app.followFiles(nil) } } }
    while true {
      if reader.isEmpty { session?.input?.forget(lines: number - 1) }
      let lines = try read(&reader, isFirst: number == 1)
      let first = number
      number += lines.count
      let step = waitFor {
        await app.send(script: lines, from: first, to: output, afterRefusal: isJSON)
      }
      switch step {
      case .continues: break
      // What was survived is not a success.
      case .quit: return isJSON || session?.ends.isEmpty ?? true ? 0 : 70
      case .refused(let lines):
        // Without standard error the status still tells.
        try? errors.write(lines: lines)
        return 65
      case .failed(let error): throw error
      }
    }
  }

  /// Shows the first screen, or continues after the line that ended the process before this one.
  ///
  /// - Returns: the number of the next line.
  private func begin(_ reader: inout LineReader) throws(InputOutputError) -> Int {
    let (app, output) = (app, output)
    guard let session, let script = session.former.script else {
      waitFor { await app.showFirst(to: output) }
      if let told = session?.firstScreenShows() { try? errors.write(lines: ["appcore: " + told]) }
      session?.noteScript { $0.screen = 1 }
      return 1
    }
    let last = max(script.begun, script.done)
    for _ in (session.input?.firstLine ?? 0)..<last { _ = try reader.next() }
    let told = waitFor { await app.continueScript() } ?? "the app continues"
    try? errors.write(lines: ["appcore: " + told])
    if script.begun > script.done {
      waitFor { await app.answerCrash(of: script.begun, told, to: output) }
    } else if isLive {
      waitFor { await app.answerCrash(of: nil, told, to: output) }
    }
    return last + 1
  }

  /// Prints a screen whenever a plugin was replaced, or could not be.
  private func follow() {
    let (app, output) = (app, output)
    let problem = waitFor { () -> FollowingError? in
      do throws(FollowingError) {
        try await app.followFiles { change in
          guard change.outcome != .unchanged else { return }
          await app.showFirst(to: output)
        }
        return nil
      } catch {
        return error
      }
    }
    if let problem { try? errors.write(lines: ["appcore: \(problem)"]) }
  }

  /// The next line, and those after it that have come already.
  private func read(
    _ reader: inout LineReader, isFirst: Bool
  ) throws(InputOutputError) -> [LineReader.Event] {
    var event = try reader.next()
    if isFirst, case .line(let bytes) = event, bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      event = .line(Array(bytes.dropFirst(3)))
    }
    var events = [event]
    while events.count < Self.batch, events.last != .end, reader.hasLine {
      events.append(try reader.next())
    }
    return events
  }
}

/// What a script prints: each screen is on its way out before anything else is done, so that whatever
/// ends the process afterwards, it is there.
final class ScriptOutput: Sendable {
  private let writer: OutputWriter
  private let status = Mutex<InputOutputError?>(nil)

  init(_ writer: OutputWriter) { self.writer = writer }

  /// Why something could not be written.
  var failure: InputOutputError? { status.withLock { $0 } }

  /// Writes lines; a failure is kept, and nothing is written after it.
  func print(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    // Under the lock: screens that come unasked are printed by another task.
    status.withLock { failure in
      guard failure == nil else { return }
      do throws(InputOutputError) {
        try writer.write(lines: lines)
      } catch {
        failure = error
      }
    }
  }
}
