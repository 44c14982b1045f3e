internal import AppCore
internal import Diagnostics
internal import Lock
package import PluginHost
internal import Support

/// A plugin's folder of sources, where a manifest or a command names one instead of a file.
public enum PluginFolder {
  /// What plugins are compiled against: the SDK that this process uses itself.
  package static let toolkit = PluginToolkit(
    libraryFolder: SDKLibrary.folder ?? ".", compilerVersion: SDK.compilerVersion)

  /// What builds folders in this process.
  static func builder(_ options: AppOptions) -> PluginBuilder {
    var builder = PluginBuilder(
      toolkit: toolkit, environment: options.environment)
    builder.willCompile = options.willCompile
    builder.willWait = options.willWait
    return builder
  }

  /// The file of a plugin that is given by its path: of a folder, what is built of it now.
  ///
  /// Blocks the thread for as long as the compiler runs, if anything is to be compiled.
  ///
  /// - Throws: why the folder can't be built.
  package static func file(
    at path: String, options: AppOptions
  ) throws(PluginError) -> String {
    guard isSourceFolder(path) else { return path }
    var builder = builder(options)
    builder.trust = options.allowsWritable ? .all : .guarded
    let configuration: BuildConfiguration = options.configuration == .release ? .release : .debug
    guard let demand = options.heldLock?.demand else {
      return try builder.build(folder: path, configuration: configuration).path
    }
    guard let built = try builder.built(folder: path, configuration: configuration) else {
      throw PluginError(.built, path: path, .sourcesNotBuilt(demand))
    }
    return built.path
  }

  /// The name of the plugin that a folder's sources make; `nil` for a file.
  package static func name(at path: String) -> String? {
    isSourceFolder(path) ? PluginBuilder.name(ofFolder: path) : nil
  }

  /// Whether a path leads to a folder that is meant as one of sources: under a library's name it is
  /// none.
  private static func isSourceFolder(_ path: String) -> Bool {
    !path.hasSuffix(".so") && PluginBuilder.isFolder(path)
  }

  /// Builds a folder, if it isn't up to date, and asks what was built what it is.
  ///
  /// Blocks the thread for as long as the compiler runs.
  ///
  /// - Parameters:
  ///   - folder: the folder, as messages name it.
  ///   - configuration: for what it is compiled.
  ///   - showsColors: whether the compiler's words are coloured.
  ///   - options: the environment, and the program that scans.
  /// - Returns: the plugin.
  /// - Throws: what is wrong with the folder, its sources, or the plugin that they make.
  public static func build(
    _ folder: String, _ configuration: PluginConfiguration, showsColors: Bool = false,
    options: AppOptions = AppOptions()
  ) throws(PluginFolderError) -> BuiltPluginFile {
    var builder = builder(options)
    builder.showsColors = showsColors
    let built: BuiltPlugin
    do throws(PluginError) {
      built = try builder.build(
        folder: folder, configuration: configuration == .release ? .release : .debug)
    } catch {
      throw PluginFolderError(problem: error, diagnostics: "")
    }
    do throws(PluginError) {
      let locator = PluginLocator(environment: options.environment)
      _ = try PluginLoading(locator: locator, options: options).member(path: built.path)
    } catch {
      throw PluginFolderError(problem: error, diagnostics: built.diagnostics)
    }
    return BuiltPluginFile(
      name: built.name, path: built.path, didCompile: built.didCompile,
      diagnostics: built.diagnostics)
  }
}

extension PluginFolder {
  /// Puts the digest of its bytes into a library that was built with this program.
  ///
  /// One that has its stamp keeps it.
  ///
  /// - Throws: what the system refuses, or that the library is damaged.
  public static func stamp(_ library: String) throws(PluginFolderError) {
    do throws(PluginError) {
      let file = try PluginFile(path: library)
      guard file.configuration == nil else { return }
      try file.stamp(HostSDK.current.configuration)
    } catch {
      throw PluginFolderError(problem: error, diagnostics: "")
    }
  }
}

/// For what a plugin is compiled.
public enum PluginConfiguration: String, CaseIterable, Hashable, Sendable {
  /// Fast, with checks and what a debugger needs.
  case debug
  /// Optimized.
  case release
}

/// A plugin's library, as it was built from a folder of sources.
public struct BuiltPluginFile: Sendable {
  /// The plugin's name.
  public let name: String
  /// The library.
  public let path: String
  /// Whether the compiler ran; otherwise the library was up to date.
  public let didCompile: Bool
  /// What the compiler said, which are warnings; empty where it did not run.
  public let diagnostics: String
}

/// Why a folder of sources makes no plugin.
public struct PluginFolderError: Error, CustomStringConvertible {
  package let problem: PluginError
  /// What the compiler said, in its own words; empty where it did not run.
  public let diagnostics: String

  package init(problem: PluginError, diagnostics: String) {
    self.problem = problem
    self.diagnostics = problem.compiler?.text ?? diagnostics
  }

  /// Whether the compiler refused the sources, and so has said all that there is to say.
  public var isCompilers: Bool { problem.cause.rule == .pluginNotCompiled }

  /// What is wrong, and what to do about it.
  public var description: String { "\(problem)" }

  /// The status that a program should end with.
  public var exitStatus: Int32 {
    switch problem.cause.rule {
    case .pluginNoCompiler, .pluginOtherCompiler, .pluginNoModules: 69
    case .pluginCompilerEnded, .pluginBuildRefused: 74
    case .pluginNoSources where !FilePath.isFolder(problem.path): 66
    default: 65
    }
  }
}
