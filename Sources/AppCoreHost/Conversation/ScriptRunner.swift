internal import Glibc
internal import Sessions
internal import Supervision
public import Support
internal import Synchronization

/// Runs an app with the lines of a script: a pipe, a file or a string.
///
/// It prints the first screen and the screen after each line, once they have settled. Without JSON,
/// the first rejected line ends the script with exit status 65.
public struct ScriptRunner {
  private let app: App
  private let isJSON: Bool
  private let output: ScriptOutput
  private let errors: OutputWriter
  private let followsPlugins: Bool
  private let isLive: Bool
  private let session: AppSession?

  /// The maximum number of lines that are sent to the app at once.
  private static let batch = 256

  /// Creates a runner that prints screens to standard output, and the rejection that ends a script
  /// to standard error.
  ///
  /// - Parameters:
  ///   - app: the app to run.
  ///   - isJSON: whether each screen is printed as a JSON object, and the script continues after
  ///     rejected lines.
  ///   - followsPlugins: whether to reload the plugins and the manifest when their files change,
  ///     and to print the screen after each reload.
  ///   - isLive: whether to print the screen whenever effects have changed it.
  public init(_ app: App, isJSON: Bool, followsPlugins: Bool = false, isLive: Bool = false) {
    self.init(app, nil, isJSON: isJSON, followsPlugins: followsPlugins, isLive: isLive)
  }

  /// Creates a runner for an app whose session is saved.
  ///
  /// - Parameters:
  ///   - app: the app to run.
  ///   - session: where the session is saved; `nil` if it is not saved.
  ///   - isJSON: whether each screen is printed as a JSON object.
  ///   - followsPlugins: whether to reload the plugins and the manifest when their files change.
  ///   - isLive: whether to print the screen whenever effects have changed it.
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

  /// Runs the app until the lines end, or until a line ends the script.
  ///
  /// Blocks the calling thread, so don't call it from a task.
  ///
  /// - Parameter reader: the source of the lines; a byte order mark before the first is skipped.
  /// - Returns: the exit status: with JSON 0; otherwise 65 after a rejected line, and 70 if the
  ///   process was restored after a crash.
  /// - Throws: `InputOutputError` if a line can't be read or a screen can't be written.
  public func run(_ reader: consuming LineReader) throws(InputOutputError) -> Int32 {
    let (app, isJSON, output) = (app, isJSON, output)
    // Before the screen is printed: a file that is saved after it must be noticed.
    if followsPlugins { follow() }
    defer { if followsPlugins { waitFor { try? await app.followFiles(nil) } } }
    var number = try begin(&reader)
    if let failure = output.failure { throw failure }
    let follower =
      isLive
      ? Task { await app.converse { await $0.follow($1, printingTo: output) } } : nil
    defer { follower?.cancel() }
    while true {
      if reader.isEmpty { session?.input?.forget(lines: number - 1) }
      let lines = try read(&reader, isFirst: number == 1)
      let first = number
      number += lines.count
      let step = waitFor {
        await app.converse {
          await $0.carryOut(
            script: lines, from: first, to: output, afterRefusal: isJSON, in: $1)
        }
      }
      switch step {
      case .continues: break
      // A script during which the app crashed has not succeeded, although it was restored.
      case .quit: return isJSON || session?.ends.isEmpty ?? true ? 0 : 70
      case .refused(let lines):
        // If standard error can't be written, the exit status still reports the rejection.
        try? errors.write(lines: lines)
        return 65
      case .failed(let error): throw error
      }
    }
  }

  /// Prints the first screen, or continues after the line during which the previous process ended.
  ///
  /// - Returns: the number of the next line.
  private func begin(_ reader: inout LineReader) throws(InputOutputError) -> Int {
    let (app, output) = (app, output)
    guard let session, let script = session.former.script else {
      waitFor { await app.converse { await $0.showFirst(of: $1, to: output) } }
      if let message = session?.didShowFirstScreen() {
        try? errors.write(lines: ["appcore: " + message])
      }
      session?.updateScript { $0.screen = 1 }
      return 1
    }
    let last = max(script.begun, script.done)
    for _ in (session.input?.firstLine ?? 0)..<last { _ = try reader.next() }
    let message =
      waitFor { await app.converse { await $0.continueScript(in: $1) } } ?? "the app continues"
    try? errors.write(lines: ["appcore: " + message])
    let crashed = script.begun > script.done ? script.begun : nil
    let isLive = isLive
    waitFor {
      await app.converse { conversation, app in
        if crashed != nil || isLive {
          await conversation.printCrashReply(of: crashed, message, to: output, in: app)
        }
        // What the former process printed is not known, and an instance may be suspended now.
        if isLive { conversation.showRestored(of: app, to: output) }
      }
    }
    return last + 1
  }

  /// Follows the files of the plugins and the manifest, and prints the screen after each reload,
  /// successful or not.
  private func follow() {
    let (app, output) = (app, output)
    let problem = waitFor { () -> FollowingError? in
      do throws(FollowingError) {
        try await app.followFiles { change in
          guard change.outcome != .unchanged else { return }
          await app.converse { await $0.showReload(of: $1, to: output) }
        }
        return nil
      } catch {
        return error
      }
    }
    if let problem { try? errors.write(lines: ["appcore: \(problem)"]) }
  }

  /// Reads the next line, waiting for it if necessary, and the lines after it that have been read
  /// ahead.
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

/// The output of a script, which several tasks may print to.
///
/// Each screen is written immediately, so that it isn't lost if the process ends afterwards.
final class ScriptOutput: Sendable {
  private let writer: OutputWriter
  private let status = Mutex<InputOutputError?>(nil)

  init(_ writer: OutputWriter) { self.writer = writer }

  /// Why output could not be written; `nil` if there was no failure.
  var failure: InputOutputError? { status.withLock { $0 } }

  /// Writes lines; after a failure, which ``failure`` returns, nothing more is written.
  func print(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    // Under the lock, because another task prints the screens that effects cause.
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
