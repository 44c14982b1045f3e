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

  /// A variable of this process's environment.
  public static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Asks the system about `descriptor`.
  public init(descriptor: Int32, variable: (String) -> String? = Self.variable) {
    var size = winsize()
    let hasSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    self.init(
      isTerminal: isatty(descriptor) == 1, reportedWidth: hasSize ? Int(size.ws_col) : nil,
      reportedHeight: hasSize ? Int(size.ws_row) : nil, variable: variable)
  }

  /// Derives the properties from those of the terminal and from the environment.
  ///
  /// Color: not with `NO_COLOR`, unless empty; else always with `CLICOLOR_FORCE`, unless empty or
  /// `0`; else on a terminal whose `TERM` isn't `dumb`. Width: the terminal's, else `COLUMNS`, else
  /// 80; between 20 and 1000. Height: the terminal's, else `LINES`, else 24; at most 1000. Linear
  /// text: with `APPCORE_PLAIN`, unless empty or `0`.
  public init(
    isTerminal: Bool, reportedWidth: Int?, reportedHeight: Int? = nil,
    variable: (String) -> String?
  ) {
    func isOn(_ name: String) -> Bool { !["", "0"].contains(variable(name) ?? "") }
    func size(_ reported: Int?, _ name: String, _ usual: Int) -> Int {
      [reported, variable(name).flatMap { Int($0) }].compactMap { $0 }.first { $0 > 0 } ?? usual
    }
    self.isTerminal = isTerminal
    wantsPlain = isOn("APPCORE_PLAIN")
    width = min(max(size(reportedWidth, "COLUMNS", 80), 20), 1000)
    height = min(size(reportedHeight, "LINES", 24), 1000)
    hasColor =
      (variable("NO_COLOR") ?? "").isEmpty
      && (isOn("CLICOLOR_FORCE") || isTerminal && variable("TERM") != "dumb")
  }

  /// The style of text for this terminal.
  public var style: Style {
    wantsPlain ? .linear : Style(hasColor: hasColor, drawsBars: isTerminal)
  }
}
