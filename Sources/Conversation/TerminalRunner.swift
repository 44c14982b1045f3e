public import AppCoreHost
internal import Glibc
internal import LineEditor
public import Support

/// Runs an app for a person at a terminal.
///
/// Lines are edited, under a screen that changes while they are typed. Where the terminal can't be
/// drawn on (`TERM=dumb`), or the person wants it plain, lines are read as the system edits them.
public struct TerminalRunner {
  /// How a terminal is used.
  public struct Options: Sendable {
    /// Whether nothing is drawn: no escape codes, no redrawing.
    public var isPlain: Bool
    /// The file with the lines that were typed; `nil` keeps none.
    public var historyPath: String?
    /// Whether plugins are loaded again when their files change.
    public var followsPlugins = false
    /// After how long a feature that keeps the app busy is reported; `nil` for never.
    public var watchdog: Duration?
    /// After how long such an app is ended; `nil` never ends it.
    public var hangLimit: Duration?
    /// Ends the process for that, unless the app is restored; it takes the reason.
    public var endHang: @Sendable (String) -> Void = { _ in }

    /// Creates options; those of the environment unless given.
    ///
    /// `TERM=dumb`, no `TERM` and `APPCORE_PLAIN` make it plain. `APPCORE_HISTORY` names the file
    /// of the history, or is `off`.
    public init(isPlain: Bool? = nil, historyPath: String?? = .none) {
      let terminal = Self.variable("TERM") ?? ""
      let plain = Self.variable("APPCORE_PLAIN") ?? ""
      self.isPlain =
        isPlain ?? (["", "dumb"].contains(terminal) || !["", "0"].contains(plain))
      self.historyPath = historyPath ?? HistoryFile.path(Self.variable)
    }

    private static func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Gives the terminal back its modes for good, as the process ends; from any thread.
  @Sendable public static func restoreTerminal() { TerminalModes.close() }

  private let app: App
  private let session: AppSession?
  private let options: Options

  /// Creates a runner on standard input and output.
  public init(_ app: App, options: Options = Options()) {
    self.init(app, nil, options: options)
  }

  /// The same for an app of which something outlives the process.
  package init(_ app: App, _ session: AppSession?, options: Options = Options()) {
    self.app = app
    self.session = session
    self.options = options
  }

  /// Runs the app until the person leaves.
  ///
  /// Blocks its thread, which must be no task's. However the process ends, the terminal gets its
  /// modes back.
  ///
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` where a screen can't be written.
  public func run() throws(InputOutputError) -> Int32 {
    let watch = TerminalWatch(app, options)
    return options.isPlain
      ? try PlainConversation(app, session, historyPath: options.historyPath, watch).run()
      : try EditedConversation(app, session, historyPath: options.historyPath, watch).run()
  }
}
