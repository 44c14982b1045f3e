/// The SDK that plugins are compiled against: the module `AppCore` in `libAppCore.so`.
public enum SDK {
  /// The version of the SDK, as in `Packages was built with SDK 0.2.0`.
  public static let version = "0.3.0"

  /// The epoch of the SDK's binary interface.
  ///
  /// A plugin runs in any host of the same epoch that was built by the same version of the compiler
  /// and has everything that the plugin uses. See docs/versions.md for what must not change within
  /// an epoch.
  public static let epoch = 2

  /// The configuration in which this SDK was built: `debug` or `release`.
  ///
  /// Plugins and host may differ in it, since layouts do not depend on it.
  public static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
