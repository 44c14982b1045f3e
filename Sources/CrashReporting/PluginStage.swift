internal import Glibc
internal import Synchronization

/// What a thread does with a plugin as a whole, besides calling one of its features.
package enum PluginStage: UInt8, Sendable {
  /// Its file is loaded, and its initializers run.
  case loading
  /// It is asked for its features.
  case asking
  /// It is made: its `init(configuration:)` and its features' factories run.
  case making

  /// What it was doing, after its name.
  var words: String {
    switch self {
    case .loading: "as its file was loaded"
    case .asking: "as it named its features"
    case .making: "in its 'init(configuration:)' or in the making of a feature"
    }
  }

  /// Notes the stage of the plugin `name` while `body` runs.
  ///
  /// What is loaded of it is in `files`, as the dynamic loader calls them.
  package func during<Result, Failure: Error>(
    _ name: String, files: [String] = [], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    PluginFiles.add(files, of: name)
    let place = StagedThreads.enter(self, PluginFiles.cString(of: name))
    defer { StagedThreads.leave(place) }
    return try body()
  }
}

/// Which plugin each loaded file belongs to.
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

  /// The plugin of all files, if there is just one.
  static var onlyPlugin: String? {
    content.withLock { content in
      let names = Set(content.plugins.values)
      return names.count == 1 ? names.first : nil
    }
  }

  /// The name where a signal's handler can read it; it is kept to the end of the process.
  static func cString(of name: String) -> UnsafePointer<CChar>? {
    content.withLock { content in
      if let known = content.cStrings[name] { return known }
      guard let copy = strdup(name) else { return nil }
      content.cStrings[name] = UnsafePointer(copy)
      return UnsafePointer(copy)
    }
  }
}

/// The threads that do something with a plugin as a whole.
///
/// A fixed piece of memory, because a signal's handler reads it.
enum StagedThreads {
  struct Entry {
    var isUsed = false
    var thread = pthread_t()
    var stage = PluginStage.loading
    var plugin: UnsafePointer<CChar>?
  }

  private static let capacity = 64
  /// Made before a handler is installed.
  static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  private static let writing = Mutex(())

  /// Notes what the calling thread does; with more than ``capacity`` at once, the rest go unnamed.
  static func enter(_ stage: PluginStage, _ plugin: UnsafePointer<CChar>?) -> Int? {
    writing.withLock { _ in
      // The last one of a thread counts: a stage may be entered within another.
      for index in (0..<capacity).reversed() where !entries[index].isUsed {
        entries[index] = Entry(
          isUsed: true, thread: pthread_self(), stage: stage, plugin: plugin)
        return index
      }
      return nil
    }
  }

  static func leave(_ place: Int?) {
    guard let place else { return }
    writing.withLock { _ in entries[place].isUsed = false }
  }

  /// Whether a thread loads a file: it holds the dynamic loader's lock.
  static var isLoading: Bool {
    (0..<capacity).contains { entries[$0].isUsed && entries[$0].stage == .loading }
  }

  /// What the calling thread does; for handlers too.
  static var own: Entry? {
    let thread = pthread_self()
    for index in 0..<capacity where entries[index].isUsed {
      if pthread_equal(entries[index].thread, thread) != 0 { return entries[index] }
    }
    return nil
  }
}
