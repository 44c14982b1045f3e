internal import Glibc
package import Navigation
internal import Synchronization

/// The table of the threads that run this process's apps, each with the record of its calls.
///
/// The table is a fixed block of memory, because signal handlers read it and must not allocate or
/// lock. One thread at a time writes to it.
package enum WatchedThreads {
  package struct Entry {
    package var isUsed = false
    var thread = pthread_t()
    package var record: UnsafeMutablePointer<CallRecord>?
    package var app: UInt32 = 0
  }

  static let capacity = 256
  /// The table; initialized before a signal handler is installed.
  package static nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry> = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    memory.initialize(repeating: Entry(), count: capacity)
    return memory
  }()
  private static let writing = Mutex(())

  /// Adds the calling thread; does nothing if there are ``capacity`` threads already.
  package static func add(_ calls: CallRecorder) {
    writing.withLock { _ in
      for index in 0..<capacity where !entries[index].isUsed {
        entries[index] = Entry(
          isUsed: true, thread: pthread_self(), record: calls.record, app: calls.app)
        return
      }
    }
  }

  /// Removes the threads of an app.
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

  /// The current or last call of the first thread in the table; `nil` if the table is empty.
  ///
  /// The thread keeps running meanwhile, so the parts of the result may not belong together.
  static var latest: ThreadSnapshot? {
    writing.withLock { _ in
      for index in 0..<capacity where entries[index].isUsed {
        var found = ThreadSnapshot()
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

/// The nodes of this process's apps, with their names and features, by which crashes are reported.
package enum WatchedNames {
  package struct Node: Sendable {
    package let name: String
    /// The feature's full name, such as `Shop.Cart`.
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
