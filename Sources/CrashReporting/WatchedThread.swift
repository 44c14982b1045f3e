internal import Glibc
internal import Navigation
internal import Synchronization

/// The threads of the apps of this process, each with the sheet on which its calls are noted.
///
/// A fixed piece of memory, because a handler of a signal reads it: no lock, no allocation. Entries
/// are written by one thread at a time.
enum WatchedThreads {
  struct Entry {
    var isUsed = false
    var thread = pthread_t()
    var record: UnsafeMutablePointer<CallRecord>?
    var app: UInt32 = 0
  }

  static let capacity = 256
  /// Made before a handler is installed.
  static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  private static let writing = Mutex(())

  /// Adds the calling thread; with more than ``capacity`` apps at once, the rest go unnamed.
  static func add(_ calls: CallSheet) {
    writing.withLock { _ in
      for index in 0..<capacity where !entries[index].isUsed {
        entries[index] = Entry(
          isUsed: true, thread: pthread_self(), record: calls.record, app: calls.app)
        return
      }
    }
  }

  static func remove(app: UInt32) {
    writing.withLock { _ in
      for index in 0..<capacity where entries[index].isUsed && entries[index].app == app {
        entries[index] = Entry()
      }
    }
  }

  /// The entry of the calling thread; for handlers too.
  static var own: Entry? {
    let thread = pthread_self()
    for index in 0..<capacity where entries[index].isUsed {
      if pthread_equal(entries[index].thread, thread) != 0 { return entries[index] }
    }
    return nil
  }

  /// The thread of an app.
  static func thread(ofApp app: UInt32) -> pthread_t? {
    writing.withLock { _ in
      for index in 0..<capacity where entries[index].isUsed && entries[index].app == app {
        return entries[index].thread
      }
      return nil
    }
  }
}

/// What the nodes of the apps of this process are called.
enum WatchedNames {
  struct Node: Sendable {
    let name: String
    let feature: String
  }

  private static let apps = Mutex<[UInt32: [Node]]>([:])

  static func add(_ nodes: [Node], app: UInt32) { apps.withLock { $0[app] = nodes } }

  static func remove(app: UInt32) { apps.withLock { $0[app] = nil } }

  static func node(_ index: Int, app: UInt32) -> Node? {
    apps.withLock { apps in
      guard let nodes = apps[app], nodes.indices.contains(index) else { return nil }
      return nodes[index]
    }
  }
}
