/// Identifies a shared value, and says where it is kept.
///
/// A key belongs to the plugin that uses it: two plugins with the same key have two values. Declare
/// a plugin's keys as static properties, so that each string is written once:
///
/// ```swift
/// extension SharedKey<Bool> {
///   static var showsDone: Self { .setting("showsDone") }
/// }
///
/// struct State {
///   @Shared(.showsDone) var showsDone = true
/// }
/// ```
public struct SharedKey<Value: Sendable>: Sendable {
  let place: SharedID.Place
  let coding: SharedCoding<Value>?

  /// A value in memory, from its first use to the end of the app.
  public static func inMemory(_ key: String) -> Self { Self(place: .memory(key), coding: nil) }
}

extension SharedKey {
  /// A key together with its initial value, so that each use need not repeat it.
  ///
  /// ```swift
  /// extension SharedKey<[String]>.Default {
  ///   static var rows: Self { Self(.setting("rows"), default: []) }
  /// }
  ///
  /// struct State {
  ///   @Shared(.rows) var rows
  /// }
  /// ```
  public struct Default: Sendable {
    let key: SharedKey
    let value: @Sendable () -> Value

    /// Combines a key with its initial value.
    public init(_ key: SharedKey, default value: @autoclosure @escaping @Sendable () -> Value) {
      self.key = key
      self.value = value
    }
  }
}

extension SharedKey where Value: Codable {
  /// A value in memory, from its first use to the end of the app.
  ///
  /// It is carried over when its plugin is replaced, and kept in the images of sessions.
  public static func inMemory(_ key: String) -> Self {
    Self(place: .memory(key), coding: .codable)
  }

  /// A value in a JSON file of its own, at an absolute path.
  ///
  /// The file is read when the value is first used, and written atomically a moment after a change;
  /// changes that others make to it are adopted. See ``Shared/save()`` for a change that must be on
  /// the disk before anything else happens.
  ///
  /// A file that can't be used (damaged, unreadable, of a newer version, or changed by others at
  /// the same time) is reported once and not overwritten; the value stays what it was.
  public static func file(_ path: String) -> Self { Self(place: .file(path), coding: .codable) }

  /// A value in the settings file of the app, which people may edit.
  ///
  /// All settings are in one JSON file, by plugin and key:
  /// `appcore/<app>.json` in `XDG_CONFIG_HOME`, or in `~/.config`. The file is treated like one of
  /// ``file(_:)``.
  public static func setting(_ key: String) -> Self { Self(place: .setting(key), coding: .codable) }
}

/// The identity of a shared value within a storage.
struct SharedID: Hashable, Sendable, CustomStringConvertible {
  enum Place: Hashable, Sendable {
    case memory(String)
    case file(String)
    case setting(String)
    /// A value without a key, identified by a random name.
    case unnamed(String)
  }
  let plugin: String
  let place: Place

  /// A new identity for a value without a key.
  static func unnamed() -> SharedID {
    SharedID(
      plugin: "", place: .unnamed(String(UInt64.random(in: 0 ... .max), radix: 36)))
  }

  var isInFile: Bool {
    switch place {
    case .file, .setting: true
    case .memory, .unnamed: false
    }
  }

  var description: String {
    switch place {
    case .memory(let key): "'.inMemory(\(key.debugDescription))'"
    case .file(let path): "'.file(\(path.debugDescription))'"
    case .setting(let key): "'.setting(\(key.debugDescription))'"
    case .unnamed: "'Shared(value:)'"
    }
  }
}

extension SharedKey {
  /// The identity of the value that the key names in the code of an image.
  func id(in image: UInt) -> SharedID {
    SharedID(plugin: PluginImages.plugin(of: image), place: place)
  }
}
