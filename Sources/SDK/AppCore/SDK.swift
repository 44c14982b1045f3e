/// What a plugin is compiled against: the module `AppCore` in `libAppCore.so`.
public enum SDK {
  /// The version of the SDK, as in `Packages was built with SDK 0.1.0`.
  public static let version = "0.1.0"
}
