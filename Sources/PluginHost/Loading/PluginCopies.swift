/// Where a plugin and what it brings along are to be loaded from.
struct PluginCopies: Sendable {
  struct Copy: Sendable {
    /// What the loader is given.
    let path: String
    /// The state of the copy, by which it is known again.
    let identity: FileIdentity
  }

  let plugin: Copy
  /// In the order of the dependencies.
  let dependencies: [Copy]
  /// Whether they are there at the next start.
  let isKept: Bool
  /// The folder to remove when the copies are no longer needed, if there is one.
  let temporaryFolder: String?
}
