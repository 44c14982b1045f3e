@_spi(Host) internal import AppCore
package import Navigation
package import Sessions
internal import Support
internal import Synchronization

/// What is known of one of this process's apps, for reports of crashes and hangs.
package struct WatchedApp: Sendable {
  package struct Node: Sendable {
    package let name: String
    /// The feature's full name, such as `Shop.Cart`.
    package let feature: String

    var plugin: String { String(feature.prefix { $0 != "." }) }

    package init(name: String, feature: String) {
      self.name = name
      self.feature = feature
    }
  }

  package var nodes: [Node] = []
  /// The app and its plugins, for reports that are kept in files.
  package var identity: SessionIdentity?
  /// The latest entries of its log, without what was typed, and perhaps some before them.
  private var log: [String] = []
  /// How many entries of a log a report has.
  package static let logLimit = 16
  package var watchdog: Watchdog?
  /// Receives the report when a crash, a hang or a call of `exit` ends the process: on the watch
  /// thread while the thread at fault is stopped, or in an exit handler.
  ///
  /// It is called again with the action, if there is one.
  package var crashListener: (@Sendable (CrashReport) -> Void)?
  /// Removes copies of secrets from what is printed of an action.
  package var redact: (@Sendable (String) -> String)?
  private static let apps = Mutex<[UInt32: WatchedApp]>([:])

  static var all: [WatchedApp] { apps.withLock { Array($0.values) } }

  package static func update(_ app: UInt32, _ change: (inout WatchedApp) -> Void) {
    apps.withLock { change(&$0[app, default: WatchedApp()]) }
  }

  package static func remove(_ app: UInt32) {
    WatchThread.remove(app: app)
    WatchedThreads.remove(app: app)
    _ = apps.withLock { $0.removeValue(forKey: app) }
  }

  package static func watchdog(ofApp app: UInt32) -> Watchdog? {
    apps.withLock { $0[app]?.watchdog }
  }

  package mutating func append(log lines: [String]) {
    if log.count > 4 * Self.logLimit { log.removeFirst(log.count - Self.logLimit) }
    log += lines
  }

  /// What is known of an app; if it is 0, of the one that was registered first.
  static func identity(ofApp app: UInt32) -> (identity: SessionIdentity?, log: [String]) {
    apps.withLock { apps in
      let found = apps[app] ?? apps.min { $0.key < $1.key }?.value
      return (found?.identity, SharedCrashPage.current?.log ?? found?.log.suffix(logLimit) ?? [])
    }
  }

  /// An action on one line, without copies of the app's secrets.
  static func text(of action: AnyAction, inApp app: UInt32) -> String {
    let redact = apps.withLock { $0[app]?.redact }
    return SafeText.line(redact?(action.text) ?? action.text)
  }

  package static func node(_ index: Int, app: UInt32) -> Node? {
    apps.withLock { apps in
      guard let nodes = apps[app]?.nodes, nodes.indices.contains(index) else { return nil }
      return nodes[index]
    }
  }
}
