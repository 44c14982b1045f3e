@_spi(Host) internal import AppCore
internal import Glibc
package import Navigation
package import Sessions
internal import Support
internal import Synchronization

/// The table of the threads in which plugins' code is expected: those that run this process's apps,
/// each with the record of its calls, and those that load plugins.
///
/// The table is a fixed block of memory, because signal handlers read it and must not allocate or
/// lock. One thread at a time writes to it.
package enum WatchedThreads {
  package struct Entry {
    /// The entry's place in the order in which entries were added; 0 for one that is not used.
    var number: UInt64 = 0
    var thread = pthread_t()
    package var record: UnsafeMutablePointer<CallRecord>?
    package var app: UInt32 = 0
    /// The stage of loading `plugin` that the thread is at; `nil` for a thread that runs an app.
    var stage: PluginStage?
    var plugin: UnsafePointer<CChar>?
  }

  private static let capacity = 320
  /// The table; initialized before a signal handler is installed.
  static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  /// The number of entries added so far; its lock also guards writing to the table.
  private static let count = Mutex<UInt64>(0)

  /// Adds the calling thread, which runs an app.
  package static func add(_ calls: CallRecorder) {
    _ = add(Entry(record: calls.record, app: calls.app))
  }

  /// Adds an entry for the calling thread.
  ///
  /// - Returns: its index; `nil` if the table is full.
  static func add(_ entry: Entry) -> Int? {
    count.withLock { count in
      guard let index = (0..<capacity).first(where: { entries[$0].number == 0 }) else {
        return nil
      }
      count += 1
      var entry = entry
      (entry.number, entry.thread) = (count, pthread_self())
      entries[index] = entry
      return index
    }
  }

  static func remove(at index: Int) { count.withLock { _ in entries[index] = Entry() } }

  package static func remove(app: UInt32) {
    count.withLock { _ in
      for index in 0..<capacity where isApp(index) && entries[index].app == app {
        entries[index] = Entry()
      }
    }
  }

  private static func isApp(_ index: Int) -> Bool {
    entries[index].number > 0 && entries[index].stage == nil
  }

  /// The app that the calling thread runs, if any; callable in a signal handler.
  package static var own: Entry? { latestOwn(isApp: true) }

  /// The stage that the calling thread has entered last, if any; callable in a signal handler.
  static var ownStage: Entry? { latestOwn(isApp: false) }

  private static func latestOwn(isApp: Bool) -> Entry? {
    let thread = pthread_self()
    // Stages can be nested, so a thread can have several entries.
    var own: Entry?
    for index in 0..<capacity where entries[index].number > (own?.number ?? 0) {
      guard self.isApp(index) == isApp, pthread_equal(entries[index].thread, thread) != 0 else {
        continue
      }
      own = entries[index]
    }
    return own
  }

  /// Whether a thread is loading a file, and therefore holds the dynamic loader's lock.
  static var isLoading: Bool {
    (0..<capacity).contains { entries[$0].number > 0 && entries[$0].stage == .loading }
  }

  /// The current or last call of the first app's thread; `nil` if no thread runs an app.
  ///
  /// The thread keeps running meanwhile, so the parts of the result may not belong together.
  static var latest: ThreadSnapshot? {
    count.withLock { _ in
      first(where: isApp).map { index in
        var found = ThreadSnapshot()
        found.app = entries[index].app
        found.record = entries[index].record?.pointee ?? CallRecord()
        return found
      }
    }
  }

  /// The thread of an app; `nil` if it is not recorded.
  static func thread(ofApp app: UInt32) -> pthread_t? {
    count.withLock { _ in
      first { isApp($0) && entries[$0].app == app }.map { entries[$0].thread }
    }
  }

  /// The index of the entry that was added first: an app's own thread comes before that of its steps.
  private static func first(where isWanted: (Int) -> Bool) -> Int? {
    (0..<capacity).filter(isWanted).min { entries[$0].number < entries[$1].number }
  }
}

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
