internal import Support

/// The file with the settings of an app.
enum SettingsFile {
  /// The file: `appcore/<app>.json` in `XDG_CONFIG_HOME`, which must be an absolute path, or in
  /// `~/.config`.
  ///
  /// - Parameters:
  ///   - app: the app's name.
  ///   - variable: the environment.
  /// - Returns: `nil` if the environment names no place.
  static func path(app: String, _ variable: (String) -> String?) -> String? {
    let folder: String
    if let config = variable("XDG_CONFIG_HOME"), config.hasPrefix("/") {
      folder = config
    } else if let home = variable("HOME"), home.hasPrefix("/") {
      folder = home + "/.config"
    } else {
      return nil
    }
    let name = String(app.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" }.prefix(60))
    return "\(folder)/appcore/\(name).json"
  }
}
