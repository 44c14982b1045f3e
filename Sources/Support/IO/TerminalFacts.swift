internal import Glibc

/// The properties of the terminal behind a file descriptor, if there is one.
public struct TerminalFacts: Hashable, Sendable {
  public let isTerminal: Bool
  /// In columns.
  public let width: Int
  /// In rows; 24 if it is unknown.
  public let height: Int
  public let hasColor: Bool
  /// Whether the environment asks for linear text.
  public let wantsPlain: Bool

  /// The environment variables that are considered.
  public struct Environment: Hashable, Sendable {
    public var noColor: String?
    public var forceColor: String?
    public var terminal: String?
    public var columns: String?
    public var rows: String?
    public var plain: String?

    /// Creates an environment.
    public init(
      noColor: String? = nil, forceColor: String? = nil, terminal: String? = nil,
      columns: String? = nil, rows: String? = nil, plain: String? = nil
    ) {
      self.noColor = noColor
      self.forceColor = forceColor
      self.terminal = terminal
      self.columns = columns
      self.rows = rows
      self.plain = plain
    }

    /// This process's environment.
    public static var process: Environment {
      func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
      return Environment(
        noColor: value("NO_COLOR"), forceColor: value("CLICOLOR_FORCE"), terminal: value("TERM"),
        columns: value("COLUMNS"), rows: value("LINES"), plain: value("APPCORE_PLAIN"))
    }
  }

  /// Asks the system about `descriptor`.
  public init(descriptor: Int32, environment: Environment = .process) {
    var size = winsize()
    let hasSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    self.init(
      isTerminal: isatty(descriptor) == 1, reportedWidth: hasSize ? Int(size.ws_col) : nil,
      reportedHeight: hasSize ? Int(size.ws_row) : nil, environment: environment)
  }

  /// Derives the properties from those of the terminal and from the environment.
  ///
  /// Color: not with `NO_COLOR`, unless empty; else always with `CLICOLOR_FORCE`, unless empty or
  /// `0`; else on a terminal whose `TERM` isn't `dumb`. Width: the terminal's, else `COLUMNS`, else
  /// 80; between 20 and 1000. Height: the terminal's, else `LINES`, else 24; at most 1000. Linear
  /// text: with `APPCORE_PLAIN`, unless empty or `0`.
  public init(
    isTerminal: Bool, reportedWidth: Int?, reportedHeight: Int? = nil, environment: Environment
  ) {
    self.isTerminal = isTerminal
    wantsPlain = !["", "0"].contains(environment.plain ?? "")
    func size(_ reported: Int?, _ variable: String?, _ usual: Int) -> Int {
      [reported, variable.flatMap(Int.init)].compactMap { $0 }.first { $0 > 0 } ?? usual
    }
    width = min(max(size(reportedWidth, environment.columns, 80), 20), 1000)
    height = min(size(reportedHeight, environment.rows, 24), 1000)
    if !(environment.noColor ?? "").isEmpty {
      hasColor = false
    } else if let force = environment.forceColor, !force.isEmpty, force != "0" {
      hasColor = true
    } else {
      hasColor = isTerminal && environment.terminal != "dumb"
    }
  }

  /// The style of text for this terminal.
  public var style: Style {
    wantsPlain ? .linear : Style(hasColor: hasColor, drawsBars: isTerminal)
  }
}
