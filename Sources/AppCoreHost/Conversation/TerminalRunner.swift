internal import Glibc
internal import LineEditor
public import Support

/// Runs an app for a user at a terminal.
///
/// The user types in a line editor, below a screen that is updated in place. In plain mode, which
/// is for terminals without escape sequences (`TERM=dumb`) and for users who ask for it, the
/// terminal driver edits the lines, and screens are printed one after another.
public struct TerminalRunner {
  /// Options of a conversation at a terminal.
  public struct Options: Sendable {
    /// Whether to use plain mode: no escape sequences and no redrawing.
    public var isPlain: Bool
    /// The path of the history file; `nil` keeps the history in memory only.
    public var historyPath: String?
    /// Whether to reload the plugins and the manifest when their files change.
    public var followsPlugins = false
    /// How long a feature may block the app's thread before it is reported; `nil` for no limit.
    public var watchdog: Duration?
    /// How long a feature may block the app's thread before the process is ended; `nil` for no
    /// limit.
    public var hangLimit: Duration?
    /// Ends the process when ``hangLimit`` has passed, if no supervisor can restore the app; takes
    /// the reason.
    public var endHang: @Sendable (String) -> Void = { _ in }

    /// Creates options; arguments that are not given are taken from the environment.
    ///
    /// `TERM=dumb`, an empty or missing `TERM`, and `APPCORE_PLAIN` other than `0` select plain
    /// mode. `APPCORE_HISTORY` is the path of the history file, or `off`.
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

  /// Restores the terminal's modes because the process ends; they can't be changed again.
  ///
  /// Callable from any thread.
  @Sendable public static func restoreTerminal() { TerminalModes.close() }

  private let app: App
  private let session: AppSession?
  private let options: Options

  /// Creates a runner on standard input and output.
  public init(_ app: App, options: Options = Options()) {
    self.init(app, nil, options: options)
  }

  /// Creates a runner on standard input and output, for an app whose session is saved, to restore it
  /// after a crash or to resume it.
  package init(_ app: App, _ session: AppSession?, options: Options = Options()) {
    self.app = app
    self.session = session
    self.options = options
  }

  /// Runs the app until the user leaves it.
  ///
  /// Blocks the calling thread, so don't call it from a task. The terminal's modes are restored
  /// however the process ends.
  ///
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` if a screen can't be written.
  public func run() throws(InputOutputError) -> Int32 {
    try TerminalLoop(app, session, options: options).run()
    return 0
  }
}
