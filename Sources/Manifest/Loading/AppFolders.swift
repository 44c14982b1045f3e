/// The folders of a person or a service that a manifest can refer to.
struct AppFolders {
  /// The home folder, which `~` stands for; `nil` if the environment does not name it.
  private let home: String?
  private let state: String?
  private let dataHome: String?
  private let isNeeded: Bool

  /// Creates the folders that environment variables name, as far as they are absolute paths.
  ///
  /// If they are needed, because the app is to be run, one that is not known is a mistake.
  init(_ variable: (String) -> String?, isNeeded: Bool) {
    func absolute(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    home = absolute("HOME")
    // systemd sets it, with a colon between several folders.
    state = absolute("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
    dataHome = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
    self.isNeeded = isNeeded
  }

  /// The folder for an app's own files, which `$data` stands for; `nil` if it is not known.
  func data(of app: String?) -> String? {
    if let state { return state }
    guard let dataHome else { return isNeeded ? nil : "/" }
    let name = (app ?? "app").map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" }
    return dataHome + "/" + String(name.prefix(60))
  }

  /// A text with the home folder in place of a `~` at its beginning; `nil` if that is not known.
  func expanded(_ text: String) -> String? {
    guard text == "~" || text.hasPrefix("~/") else { return text }
    return (home ?? (isNeeded ? nil : "/")).map { $0 + text.dropFirst() }
  }
}
