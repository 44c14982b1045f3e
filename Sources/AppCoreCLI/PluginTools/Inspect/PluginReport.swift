internal import AppCheck
internal import AppCore
internal import Glibc
internal import PluginHost

/// A report on plugin files: the output of `appcore inspect`.
struct PluginReport: Sendable {
  struct InspectedPlugin: Sendable {
    /// The path of the file, or the name of the plugin if no file was found.
    let path: String
    /// The facts that were read from the file; `nil` if it can't be read or is not a library.
    let inspection: PluginInspection?
    /// Why the plugin can't be loaded; `nil` if no reason is known.
    var problem: PluginError?
    /// The plugin's description of itself; `nil` if it was not scanned.
    var info: PluginInfo?
  }

  let entries: [InspectedPlugin]

  /// Inspects plugins: files, folders or names.
  ///
  /// Without a scan, no code of the plugins runs. With a scan, plugins that fit this host are
  /// loaded in a child process and describe themselves.
  init(_ plugins: [String], options: AppOptions = AppOptions(), scans: Bool = false) {
    let locator = options.locator()
    let cache = ScanCache(
      environment: options.environment, form: PluginInfo.form)
    let trust: FileTrust = options.allowsWritable ? .all : .guarded
    var entries = plugins.map { plugin in
      do throws(PluginError) {
        let path = try Self.file(plugin, locator, options)
        let inspection = try PluginInspection(
          path: path, trust: trust, cache: cache)
        return InspectedPlugin(
          path: path, inspection: inspection,
          problem: inspection.problem ?? inspection.scanResult?.problem)
      } catch {
        return InspectedPlugin(path: error.path, inspection: nil, problem: error)
      }
    }
    if scans { Self.scan(&entries, locator, options) }
    self.entries = entries
  }

  /// The file of a plugin that is given by a path or a name.
  ///
  /// A folder of sources is built. A word without a slash or a dot is the name of a plugin, which
  /// is searched for, unless the current folder has a file of that name.
  private static func file(
    _ plugin: String, _ locator: PluginLocator, _ options: AppOptions
  ) throws(PluginError) -> String {
    guard !plugin.contains("/"), !plugin.contains("."), access(plugin, F_OK) != 0 else {
      return try PluginFolder.file(at: locator.locate(path: plugin), options: options)
    }
    return try locator.locate(name: plugin)
  }

  private static func scan(
    _ entries: inout [InspectedPlugin], _ locator: PluginLocator, _ options: AppOptions
  ) {
    // Also those in quarantine, which a new scan may end.
    let indices = entries.indices.filter {
      entries[$0].inspection.map { $0.problem == nil } == true
    }
    let plugins = PluginResolver(locator: locator, options: options)
      .resolve(indices.map { .path(entries[$0].path) }).plugins
    for (index, plugin) in zip(indices, plugins) {
      do throws(PluginError) {
        entries[index].info = try plugin.get().info
        entries[index].problem = nil
      } catch {
        entries[index].problem = error
      }
    }
  }

  /// The exit status: 0, or 69 if one of the plugins can't be loaded.
  var exitStatus: Int32 { entries.contains { $0.problem != nil } ? 69 : 0 }
}

extension PluginReport {
  /// The interface of a plugin, a file, folder or name, which is scanned in a child process.
  ///
  /// - Throws: `PluginError` if the plugin can't be loaded.
  static func interface(
    of plugin: String, options: AppOptions = AppOptions()
  ) throws -> PluginInterface {
    let entry = PluginReport([plugin], options: options, scans: true).entries[0]
    guard let info = entry.info else {
      throw entry.problem
        ?? PluginError(.scanned, path: entry.path, .registration("it says nothing"))
    }
    return PluginInterface(info)
  }
}
