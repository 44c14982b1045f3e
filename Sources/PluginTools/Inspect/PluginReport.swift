public import AppCheck
internal import AppCore
internal import Glibc
package import PluginHost

/// What `appcore inspect` tells of plugin files.
public struct PluginReport: Sendable {
  /// The report on one file.
  package struct Entry: Sendable {
    /// The path, or the name where no file was found.
    package let path: String
    /// `nil` where the file can't be read or is not a library.
    let inspection: PluginInspection?
    /// Why the plugin can't be loaded; `nil` where nothing is known to be wrong.
    package var problem: PluginError?
    /// What it says of itself, where it was asked.
    package var info: PluginInfo?
  }

  package let entries: [Entry]
  /// Whether the plugins were to be asked.
  let isScanned: Bool

  /// Looks at files; where it scans, the code of those that fit runs in a process of its own.
  ///
  /// - Parameters:
  ///   - plugins: paths, or names to be searched for.
  ///   - options: where plugins are searched for, and whose are taken.
  ///   - scans: whether the plugins are asked what they are.
  public init(_ plugins: [String], options: AppOptions = AppOptions(), scans: Bool = false) {
    let locator = PluginLocator(
      pluginPath: options.pluginPath, executableFolder: PluginLocator.executableFolder(),
      libraryPlugins: SDKLibrary.pluginFolder, environment: options.environment)
    let cache = ScanCache(
      environment: options.environment, form: PluginInfo.form)
    let trust: FileTrust = options.allowsWritable ? .all : .guarded
    var entries = plugins.map { plugin in
      do throws(PluginError) {
        let path = try Self.file(plugin, locator, options)
        let inspection = try PluginInspection(
          path: path, validator: PluginLoading.loader.validator, trust: trust, cache: cache)
        return Entry(
          path: path, inspection: inspection,
          problem: inspection.problem ?? inspection.scanResult?.problem)
      } catch {
        return Entry(path: error.path, inspection: nil, problem: error)
      }
    }
    isScanned = scans
    if scans { Self.scan(&entries, locator, options) }
    self.entries = entries
  }

  /// A path as it is, or what is built of the folder there; a name, which is one word without a dot, is searched for where no such file
  /// lies here.
  private static func file(
    _ plugin: String, _ locator: PluginLocator, _ options: AppOptions
  ) throws(PluginError) -> String {
    guard !plugin.contains("/"), !plugin.contains("."), access(plugin, F_OK) != 0 else {
      return try PluginFolder.file(at: locator.locate(path: plugin), options: options)
    }
    return try locator.locate(name: plugin)
  }

  private static func scan(
    _ entries: inout [Entry], _ locator: PluginLocator, _ options: AppOptions
  ) {
    let loading = PluginLoading(locator: locator, options: options)
    var found: [Int: Result<PluginLoading.Found, PluginError>] = [:]
    // What is in quarantine may be let out of it by being scanned again.
    for (index, entry) in entries.enumerated()
    where entry.inspection.map({ $0.problem == nil }) == true {
      found[index] = Result { () throws(PluginError) in try loading.get(path: entry.path) }
    }
    loading.finish()
    for (index, found) in found {
      do throws(PluginError) {
        entries[index].info = try loading.member(of: found.get()).info
        entries[index].problem = nil
      } catch {
        entries[index].problem = error
      }
    }
  }

  /// 0, or 69 where one of the plugins can't be loaded.
  public var exitStatus: Int32 { entries.contains { $0.problem != nil } ? 69 : 0 }
}

extension PluginReport {
  /// The interface of a plugin; its code runs in a process of its own.
  ///
  /// - Parameters:
  ///   - plugin: a path, or a name to be searched for.
  ///   - options: where plugins are searched for, and whose are taken.
  /// - Returns: what manifests can rely on.
  /// - Throws: why the plugin can't be loaded.
  public static func interface(
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
