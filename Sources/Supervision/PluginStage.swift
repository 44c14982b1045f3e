internal import Glibc
internal import Synchronization

/// A stage of loading a plugin in which the plugin's code runs.
package enum PluginStage: UInt8, Sendable {
  /// The file is loaded, and its initializers run.
  case loading
  /// The plugin registers its features.
  case asking
  /// The plugin's `init(configuration:)` and its features' factories run.
  case making

  /// The stage in words, which messages put after the plugin's name.
  var words: String {
    switch self {
    case .loading: "as its file was loaded"
    case .asking: "as it named its features"
    case .making: "in its 'init(configuration:)' or in the making of a feature"
    }
  }

  /// Records that the calling thread is at this stage while `body` runs.
  ///
  /// - Parameters:
  ///   - name: the name of the plugin.
  ///   - files: the paths of the plugin's files, as the dynamic loader reports them; its own is the
  ///     first, and libraries follow.
  ///   - body: runs the plugin's code.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  package func during<Result, Failure: Error>(
    _ name: String, files: [String] = [], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let end = begin(name, files: files)
    defer { end() }
    return try body()
  }

  /// Records that the calling thread is at this stage until it calls the returned function.
  package func begin(_ name: String, files: [String] = []) -> () -> Void {
    PluginFiles.add(files, of: name)
    let place = StagedThreads.enter(self, PluginFiles.cString(of: name))
    return { StagedThreads.leave(place) }
  }
}

/// A table of the loaded files and the plugins that they belong to.
enum PluginFiles {
  private struct Content {
    /// The names of the plugins, by the paths of their files and of the libraries that they bring.
    var plugins: [String: String] = [:]
    /// The paths of the plugins' own files.
    var own: Set<String> = []
    var cStrings: [String: UnsafePointer<CChar>] = [:]
  }
  private static let content = Mutex(Content())

  /// Adds the file of a plugin, and after it the libraries that it brings along.
  static func add(_ files: [String], of plugin: String) {
    content.withLock { content in
      for file in files { content.plugins[file] = plugin }
      if let own = files.first { content.own.insert(own) }
    }
  }

  /// The plugin that a file belongs to, and whether it is the plugin's own file, not a library.
  static func plugin(ofFile path: String) -> (name: String, isOwn: Bool)? {
    content.withLock { content in
      content.plugins[path].map { ($0, content.own.contains(path)) }
    }
  }

  /// The only plugin in the table; `nil` if there are none or several.
  static var onlyPlugin: String? {
    content.withLock { content in
      let names = Set(content.plugins.values)
      return names.count == 1 ? names.first : nil
    }
  }

  /// A plugin's name as a C string that is never freed, so that signal handlers can keep it.
  static func cString(of name: String) -> UnsafePointer<CChar>? {
    content.withLock { content in
      if let known = content.cStrings[name] { return known }
      guard let copy = strdup(name) else { return nil }
      content.cStrings[name] = UnsafePointer(copy)
      return UnsafePointer(copy)
    }
  }
}

/// The table of the threads that are at a ``PluginStage``.
///
/// The table is a fixed block of memory, because signal handlers read it.
enum StagedThreads {
  struct Entry {
    var isUsed = false
    var thread = pthread_t()
    var stage = PluginStage.loading
    var plugin: UnsafePointer<CChar>?
    /// The entry's place in the order in which stages were entered, counted from 1.
    var number: UInt64 = 0
  }

  private static let capacity = 64
  /// The table; initialized before a signal handler is installed.
  static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  /// The number of stages entered so far; its lock also guards writing to the table.
  private static let count = Mutex<UInt64>(0)

  /// Records that the calling thread enters a stage.
  ///
  /// - Returns: the index of the entry, for ``leave(_:)``; `nil` if the table is full.
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

  /// Removes the entry that ``enter(_:_:)`` returned.
  static func leave(_ place: Int?) {
    guard let place else { return }
    count.withLock { _ in entries[place].isUsed = false }
  }

  /// Whether a thread is loading a file, and therefore holds the dynamic loader's lock.
  static var isLoading: Bool {
    (0..<capacity).contains { entries[$0].isUsed && entries[$0].stage == .loading }
  }

  /// The entry that the calling thread added last; `nil` if it is at no stage.
  ///
  /// Callable in a signal handler.
  static var own: Entry? {
    let thread = pthread_self()
    // Stages can be nested, so a thread can have several entries.
    var own: Entry?
    for index in 0..<capacity where entries[index].isUsed {
      guard pthread_equal(entries[index].thread, thread) != 0 else { continue }
      if entries[index].number > (own?.number ?? 0) { own = entries[index] }
    }
    return own
  }
}
