/// A library that a plugin brings along: needed, and neither loaded by the host nor the system's.
struct Dependency: Sendable {
  /// The name under which it is needed.
  let name: String
  let file: PluginFile

  /// Whether the loader knows it by that name once it is loaded, so that it does not search for it.
  var isKnownByName: Bool { file.facts.soname == name }
}

/// A library of the system's that a plugin needs and that the host has not loaded.
struct SystemLibrary: Hashable, Sendable {
  /// Where it was found.
  let path: String
  /// The state of the file then.
  let identity: FileIdentity
}
