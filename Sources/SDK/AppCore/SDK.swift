/// What a plugin is compiled against: the module `AppCore` in `libAppCore.so`.
public enum SDK {
  /// The version of the SDK, as in `Packages was built with SDK 0.1.0`.
  public static let version = "0.1.0"

  /// For what this build of the SDK was compiled: `debug` or `release`.
  ///
  /// Plugins and host may differ in it: layouts do not depend on it.
  public static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
