internal import Glibc
package import Navigation
internal import Synchronization

/// The threads of the apps of this process, each with the record of its calls.
///
/// A fixed block of memory, because signal handlers read it: no lock, no allocation. Entries are
/// written by one thread at a time.
package enum WatchedThreads {
  package struct Entry {
    package var isUsed = false
    var thread = pthread_t()
    package var record: UnsafeMutablePointer<CallRecord>?
    package var app: UInt32 = 0
  }

  static let capacity = 256
  /// Initialized before a handler is installed.
  package static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  private static let writing = Mutex(())

  /// Adds the calling thread; beyond ``capacity`` threads are not recorded.
  package static func add(_ calls: CallRecorder) {
    writing.withLock { _ in
      for index in 0..<capacity where !entries[index].isUsed {
        entries[index] = Entry(
          isUsed: true, thread: pthread_self(), record: calls.record, app: calls.app)
        return
      }
    }
  }

  package static func remove(app: UInt32) {
    writing.withLock { _ in
      for index in 0..<capacity where entries[index].isUsed && entries[index].app == app {
        entries[index] = Entry()
      }
    }
  }

  /// The entry of the calling thread, if any; callable in a signal handler.
  package static var own: Entry? {
    let thread = pthread_self()
    for index in 0..<capacity where entries[index].isUsed {
      if pthread_equal(entries[index].thread, thread) != 0 { return entries[index] }
    }
    return nil
  }

  /// The current or last call of the first app's thread, read while the thread keeps running.
  static var latest: Interruption? {
    writing.withLock { _ in
      for index in 0..<capacity where entries[index].isUsed {
        var found = Interruption()
        found.app = entries[index].app
        found.record = entries[index].record?.pointee ?? CallRecord()
        return found
      }
      return nil
    }
  }

  /// The thread of an app; `nil` if it is not recorded.
  static func thread(ofApp app: UInt32) -> pthread_t? {
    writing.withLock { _ in
      for index in 0..<capacity where entries[index].isUsed && entries[index].app == app {
        return entries[index].thread
      }
      return nil
    }
  }
}

/// The names of the nodes of the apps of this process.
package enum WatchedNames {
  package struct Node: Sendable {
    package let name: String
    package let feature: String

    /// The plugin of the feature.
    var plugin: String { String(feature.prefix { $0 != "." }) }

    package init(name: String, feature: String) {
      self.name = name
      self.feature = feature
    }
  }

  private static let apps = Mutex<[UInt32: [Node]]>([:])

  package static func add(_ nodes: [Node], app: UInt32) { apps.withLock { $0[app] = nodes } }

  package static func remove(app: UInt32) { apps.withLock { $0[app] = nil } }

  package static func node(_ index: Int, app: UInt32) -> Node? {
    apps.withLock { apps in
      guard let nodes = apps[app], nodes.indices.contains(index) else { return nil }
      return nodes[index]
    }
  }
}
