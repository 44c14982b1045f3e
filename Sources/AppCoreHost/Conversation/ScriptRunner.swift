internal import Glibc
internal import Sessions
package import Supervision
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
  private let followsPlugins: Bool
  private let isLive: Bool
  private let session: AppSession?
  /// The lines that were read but not carried out, for the next worker; `nil` if each worker reads
  /// all lines.
  private let spool: InputSpool?

  /// The maximum number of lines that are sent to the app at once.
  private static let batch = 256

  /// Creates a runner that prints screens to standard output, and the rejection that ends a script
  /// to standard error.
  ///
  /// With JSON each screen is an object, and the script continues after rejected lines. It can
  /// follow the files of the plugins and the manifest, and print the screen after each reload; and
  /// if it is live, whenever effects have changed it.
  public init(_ app: App, isJSON: Bool, followsPlugins: Bool = false, isLive: Bool = false) {
    self.init(
      app, nil, spool: nil, isJSON: isJSON, followsPlugins: followsPlugins, isLive: isLive)
  }

  /// Creates a runner like the public initializer, for an app whose session is saved.
  ///
  /// The reader that ``run(_:)`` is given reads through the spool, if there is one.
  package init(
    _ app: App, _ session: AppSession?, spool: InputSpool?, isJSON: Bool, followsPlugins: Bool,
    isLive: Bool
  ) {
    self.app = app
    self.session = session
    self.spool = spool
    self.isLive = isLive
    self.followsPlugins = followsPlugins
    self.isJSON = isJSON
    output = ScriptOutput(OutputWriter(content: isJSON ? .json : .styled))
  }

  /// Runs the app until the lines end, or until a line ends the script.
  ///
  /// A byte order mark before the first line is skipped. Blocks the calling thread, so don't call it
  /// from a task.
  ///
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
      if reader.isEmpty { spool?.forget(lines: number - 1) }
      let lines = try read(&reader, isFirst: number == 1)
      let first = number
      number += lines.count
      let last = waitFor {
        await app.converse {
          await $0.carryOut(
            script: lines, from: first, to: output, afterRefusal: isJSON, in: $1)
        }
      }
      // A rejection is reported even if its screen can't be printed.
      guard let last else {
        if let failure = output.failure { throw failure }
        continue
      }
      if last.isRefused {
        report(last)
        return 65
      }
      // A script during which the app crashed has not succeeded, although it was restored.
      return isJSON || session?.ends.isEmpty ?? true ? 0 : 70
    }
  }

  /// Prints the first screen, or continues after the line during which the previous process ended;
  /// returns the number of the next line.
  private func begin(_ reader: inout LineReader) throws(InputOutputError) -> Int {
    let (app, output) = (app, output)
    guard let session, let script = session.former.script else {
      waitFor { await app.converse { await $0.showFirst(of: $1, to: output) } }
      if let message = session?.didShowFirstScreen() {
        ErrorLog.write("appcore: \(message)\n")
      }
      session?.updateScript { $0.screen = 1 }
      return 1
    }
    // An image that could not be written has former numbers.
    let first = spool?.firstLine ?? 0
    let last = max(script.begun, script.done, first)
    for _ in first..<last { _ = try reader.next() }
    let crashed = script.begun > script.done ? script.begun : nil
    let isLive = isLive
    waitFor {
      await app.converse {
        await $0.continueScript(afterCrashIn: crashed, isLive: isLive, to: output, in: $1) {
          ErrorLog.write("appcore: \($0)\n")
        }
      }
    }
    return last + 1
  }

  /// Follows the files of the plugins and the manifest, and prints the screen after each reload,
  /// successful or not.
  private func follow() {
    let (app, output) = (app, output)
    waitFor {
      do throws(FollowingError) {
        try await app.followFiles { change in
          guard change.outcome != .unchanged else { return }
          await app.converse { await $0.showReload(of: $1, to: output) }
        }
      } catch {
        ErrorLog.write("appcore: \(error)\n")
      }
    }
  }

  /// Reports the rejection that ends a script; a log that is kept has nothing that was typed.
  private func report(_ reply: Reply) {
    guard ErrorLog.isKept, case .refused(let code) = reply.outcome else {
      return ErrorLog.write(reply.output.map { $0 + "\n" }.joined(), .error, as: .styled)
    }
    ErrorLog.write("appcore: a line of the script was refused [\(code)]\n", .error)
  }

  /// Reads the next line, waiting for it if necessary, and the lines after it that have been read
  /// ahead.
  private func read(
    _ reader: inout LineReader, isFirst: Bool
  ) throws(InputOutputError) -> [LineReader.Event] {
    var event = try reader.next()
    // With a socket, clients go on using the app, which a signal ends.
    if event == .end, Worker.current?.socket != nil { while true { _ = pause() } }
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
