public import AppCoreHost
internal import CrashReporting
internal import Glibc
public import Support

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
    self.app = app
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
    waitFor { await app.showFirst(to: output) }
    if let failure = output.failure { throw failure }
    let follower = isLive ? Task { await app.follow(printingTo: output) } : nil
    defer { follower?.cancel() }
    if followsPlugins { follow() }
    defer { if followsPlugins { waitFor { try? await app.followPlugins(nil) } } }
    var number = 1
    while true {
      let lines = try read(&reader, isFirst: number == 1)
      let first = number
      number += lines.count
      let step = waitFor {
        await app.send(script: lines, from: first, to: output, afterRefusal: isJSON)
      }
      switch step {
      case .goesOn: break
      case .quit: return 0
      case .refused(let lines):
        // Without standard error the status still tells.
        try? errors.write(lines: lines)
        return 65
      case .failed(let error): throw error
      }
    }
  }

  /// Prints a screen whenever a plugin was replaced, or could not be.
  private func follow() {
    let (app, output) = (app, output)
    let problem = waitFor { () -> FollowingError? in
      do throws(FollowingError) {
        try await app.followPlugins { change in
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
