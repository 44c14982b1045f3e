internal import Glibc
internal import Synchronization

/// The stage of loading a plugin in which a thread runs the plugin's code.
package enum PluginStage: UInt8, Sendable {
  /// The file is loaded, and its initializers run.
  case loading
  /// The plugin registers its features.
  case asking
  /// The plugin's `init(configuration:)` and its features' factories run.
  case making

  /// The stage in words, to follow the plugin's name.
  var words: String {
    switch self {
    case .loading: "as its file was loaded"
    case .asking: "as it named its features"
    case .making: "in its 'init(configuration:)' or in the making of a feature"
    }
  }

  /// Records this stage of the plugin `name` while `body` runs.
  ///
  /// `files` are the plugin's files, by the names that the dynamic loader uses.
  package func during<Result, Failure: Error>(
    _ name: String, files: [String] = [], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    PluginFiles.add(files, of: name)
    let place = StagedThreads.enter(self, PluginFiles.cString(of: name))
    defer { StagedThreads.leave(place) }
    return try body()
  }
}

/// The plugins of the loaded files.
enum PluginFiles {
  private struct Content {
    var plugins: [String: String] = [:]
    var cStrings: [String: UnsafePointer<CChar>] = [:]
  }
  private static let content = Mutex(Content())

  static func add(_ files: [String], of plugin: String) {
    content.withLock { content in for file in files { content.plugins[file] = plugin } }
  }

  static func plugin(ofFile path: String) -> String? { content.withLock { $0.plugins[path] } }

  /// The plugin of all files; `nil` if there are none or several.
  static var onlyPlugin: String? {
    content.withLock { content in
      let names = Set(content.plugins.values)
      return names.count == 1 ? names.first : nil
    }
  }

  /// The name as a C string for signal handlers, which is never freed.
  static func cString(of name: String) -> UnsafePointer<CChar>? {
    content.withLock { content in
      if let known = content.cStrings[name] { return known }
      guard let copy = strdup(name) else { return nil }
      content.cStrings[name] = UnsafePointer(copy)
      return UnsafePointer(copy)
    }
  }
}

/// The threads that are in a ``PluginStage``.
///
/// A fixed block of memory, because signal handlers read it.
enum StagedThreads {
  struct Entry {
    var isUsed = false
    var thread = pthread_t()
    var stage = PluginStage.loading
    var plugin: UnsafePointer<CChar>?
    /// How many stages had been entered before.
    var number: UInt64 = 0
  }

  private static let capacity = 64
  /// Initialized before a handler is installed.
  static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  /// How many stages have been entered.
  private static let count = Mutex<UInt64>(0)

  /// Records the stage of the calling thread; beyond ``capacity`` stages are not recorded.
  static func enter(_ stage: PluginStage, _ plugin: UnsafePointer<CChar>?) -> Int? {
    count.withLock { count in
      for index in 0..<capacity where !entries[index].isUsed {
        count += 1
        entries[index] = Entry(
          isUsed: true, thread: pthread_self(), stage: stage, plugin: plugin, number: count)
        return index
      }
      return nil
    }
  }

  static func leave(_ place: Int?) {
    guard let place else { return }
    count.withLock { _ in entries[place].isUsed = false }
  }

  /// Whether a thread is loading a file, and therefore holds the dynamic loader's lock.
  static var isLoading: Bool {
    (0..<capacity).contains { entries[$0].isUsed && entries[$0].stage == .loading }
  }

  /// The entry of the calling thread; callable in a signal handler.
  static var own: Entry? {
    let thread = pthread_self()
    // The one that was entered last: a stage may be entered within another.
    var own: Entry?
    for index in 0..<capacity where entries[index].isUsed {
      guard pthread_equal(entries[index].thread, thread) != 0 else { continue }
      if entries[index].number > (own?.number ?? 0) { own = entries[index] }
    }
    return own
  }
}
