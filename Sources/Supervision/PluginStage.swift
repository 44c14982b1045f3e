internal import Glibc
internal import Synchronization

/// A stage of loading a plugin in which the plugin's code runs.
package enum PluginStage: UInt8, Sendable {
  /// The file is loaded, and its initializers run.
  case loading
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

  /// The plugin's code that runs at this stage.
  var call: String {
    switch self {
    case .loading: "its initializers"
    case .asking: "register(in:)"
    case .making: "init(configuration:)"
    }
  }

  /// Records that the calling thread is at this stage until it calls the returned function.
  ///
  /// The files are the plugin's, by the paths that the dynamic loader reports; its own is the first,
  /// and libraries follow.
  package func begin(_ name: String, files: [String] = []) -> () -> Void {
    PluginFiles.add(files, of: name)
    let index = WatchedThreads.add(.init(stage: self, plugin: PluginFiles.cString(of: name)))
    return { if let index { WatchedThreads.remove(at: index) } }
  }
}

/// A table of the loaded files and the plugins that they belong to.
enum PluginFiles {
  /// The plugins, by the paths of their files and of the libraries that they bring, which are not
  /// their own.
  private static let plugins = Mutex<[String: (name: String, isOwn: Bool)]>([:])
  private static let cStrings = Mutex<[String: UnsafePointer<CChar>]>([:])

  /// Adds the file of a plugin, and after it the libraries that it brings along.
  static func add(_ files: [String], of plugin: String) {
    plugins.withLock { plugins in
      for file in files { plugins[file] = (plugin, file == files.first) }
    }
  }

  /// The plugin that a file belongs to, and whether it is the plugin's own file, not a library.
  static func plugin(ofFile path: String) -> (name: String, isOwn: Bool)? {
    plugins.withLock { $0[path] }
  }

  /// The only plugin in the table; `nil` if there are none or several.
  static var onlyPlugin: String? {
    let names = plugins.withLock { Set($0.values.map(\.name)) }
    return names.count == 1 ? names.first : nil
  }

  /// A plugin's name as a C string that is never freed, so that signal handlers can keep it.
  static func cString(of name: String) -> UnsafePointer<CChar>? {
    cStrings.withLock { cStrings in
      if let known = cStrings[name] { return known }
      guard let copy = strdup(name) else { return nil }
      cStrings[name] = UnsafePointer(copy)
      return UnsafePointer(copy)
    }
  }
}
