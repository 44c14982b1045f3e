/// A plugin whose code is in this process, and of which nothing has run but its initializers.
///
/// It stays loaded until the process ends: closing a Swift library leaves pointers to its
/// metadata behind.
public struct OpenedPlugin: Sendable {
  /// What a plugin's entry is to C: a function without arguments that returns a pointer.
  public typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?

  /// The plugin's name.
  public let name: String
  /// The path that was read.
  public let path: String
  /// The state of the file whose bytes are loaded.
  public let identity: FileIdentity
  /// Which bytes are loaded, as 16 hexadecimal digits: equal for equal files, whatever their path.
  public let generation: String
  /// The private copy that the loader was given.
  public let copyPath: String
  /// The plugin's entry, which nothing has called.
  public let entry: Entry
}
