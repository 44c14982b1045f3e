internal import Glibc

/// Brings a plugin's code into the process.
///
/// The life of a plugin, in this order. Each step can refuse it, with a ``PluginProblem``:
/// 1. found: ``PluginLocator`` turns a name into a path.
/// 2. read: ``PluginFile`` takes the bytes into memory and checks all that the dynamic loader
///    would follow blindly. No code runs.
/// 3. judged: ``PluginJudge`` compares the contract and looks at what the plugin imports.
/// 4. scanned: ``PluginScanner`` asks it in a child process what it is, once for each content.
/// 5. loaded: this type gives its bytes to `dlopen` and finds its entry.
/// 6. registered: the host calls ``LoadedPlugin/entry`` and reads what it returns.
///
/// What is loaded is what was judged: the bytes in memory are written to a private copy, named by
/// their content, and that is given to `dlopen`. The same bytes are loaded once, whatever path
/// they came from; other bytes from the same path are loaded beside the first.
///
/// Safe to use from several threads; loads happen one after the other.
public final class PluginLoader: Sendable {
  private struct State {
    var folder: CopyFolder?
    var loaded: [String: LoadedPlugin] = [:]
  }

  /// Judges what this loader opens.
  public let judge: PluginJudge
  private let environment: [String: String]
  private let state = Locked(State())

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - contract: the contract of the SDK that this process has loaded.
  ///   - environment: the process's variables; `XDG_CACHE_HOME`, `HOME` and `TMPDIR` say where
  ///     copies go.
  public convenience init(contract: Contract, environment: [String: String]) {
    self.init(judge: PluginJudge(contract: contract), environment: environment)
  }

  /// Makes a loader with a judge.
  public init(judge: PluginJudge, environment: [String: String]) {
    self.judge = judge
    self.environment = environment
  }

  /// Reads and judges a file; none of its code runs.
  ///
  /// - Parameters:
  ///   - path: the file, as ``PluginLocator`` found it.
  ///   - name: the plugin's name, where it was asked for by name.
  /// - Returns: what ``load(_:)`` takes.
  /// - Throws: a problem of stage `read` or `judged`.
  public func open(
    path: String, expecting name: String? = nil
  ) throws(PluginProblem) -> JudgedPlugin {
    try judge.judge(try PluginFile(path: path), expecting: name)
  }

  /// Loads a plugin; its initializers run.
  ///
  /// - Throws: a problem of stage ``PluginProblem/Stage/loaded``.
  /// - Complexity: O(size of the file) to copy or compare it, once for each content.
  public func load(_ plugin: JudgedPlugin) throws(PluginProblem) -> LoadedPlugin {
    do throws(PluginProblem.CauseError) {
      return try state.withLock { state throws(PluginProblem.CauseError) in
        try load(plugin, &state)
      }
    } catch {
      throw PluginProblem(.loaded, path: plugin.file.path, error.cause)
    }
  }

  private func load(
    _ plugin: JudgedPlugin, _ state: inout State
  ) throws(PluginProblem.CauseError) -> LoadedPlugin {
    let generation = "\(plugin.file.digest)"
    if let loaded = state.loaded[generation] {
      return LoadedPlugin(
        name: loaded.name, path: plugin.file.path, identity: plugin.file.identity,
        generation: generation, copyPath: loaded.copyPath, entry: loaded.entry)
    }
    // A temporary folder holds one copy and goes with it.
    let folder: CopyFolder
    if let known = state.folder {
      folder = known
    } else {
      folder = try CopyFolder.open(environment: environment)
    }
    if !folder.isTemporary { state.folder = folder }

    var copies = try folder.copies(of: plugin)
    defer { folder.discard(copies) }
    if access(copies.plugin, F_OK) != 0 {
      // Another process has just made room for copies of its own.
      copies = try folder.copies(of: plugin)
    }
    try loadDependencies(of: plugin, copies)
    let copy = copies.plugin
    guard let handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw PluginProblem.CauseError(
        LoaderMessage(copy: copy, file: plugin.file, plugin.dependencies).cause)
    }
    LoadedLibraries.shared.insert(plugin: plugin.name, handle: handle)
    guard let address = dlsym(handle, plugin.entrySymbol) else {
      throw PluginProblem.CauseError(.entryNotLoaded(plugin.entrySymbol))
    }
    let loaded = LoadedPlugin(
      name: plugin.name, path: plugin.file.path, identity: plugin.file.identity,
      generation: generation, copyPath: copy,
      entry: unsafeBitCast(address, to: LoadedPlugin.Entry.self))
    state.loaded[generation] = loaded
    return loaded
  }

  /// Loads what the plugin brings along.
  ///
  /// Of what lies beside the plugin there are copies beside its copy, so that `$ORIGIN` leads to
  /// them: SwiftPM gives libraries no `DT_SONAME` by which the loader would know them again.
  private func loadDependencies(
    of plugin: JudgedPlugin, _ copies: CopyFolder.Copies
  ) throws(PluginProblem.CauseError) {
    for (item, path) in zip(plugin.dependencies.items, copies.dependencies) {
      guard dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nil else {
        throw PluginProblem.CauseError(
          LoaderMessage(copy: path, file: item.file, plugin.dependencies).cause)
      }
      LoadedLibraries.shared.insert(item)
    }
  }
}
