internal import AppCore
public import PluginHost
internal import Support

/// A plugin that a manifest or a command names by its folder of sources.
public enum PluginFolder {
  /// The SDK that plugins are compiled against: the one that this process uses.
  package static let toolkit = PluginToolkit(
    libraryFolder: SDKLibrary.folder ?? ".", compilerVersion: SDK.compilerVersion)

  static func builder(_ options: AppOptions) -> PluginBuilder {
    var builder = PluginBuilder(
      toolkit: toolkit, environment: options.environment)
    builder.trust = options.allowsWritable ? .all : .guarded
    builder.willCompile = options.willCompile
    builder.willWait = options.willWait
    return builder
  }

  /// The file of a plugin that is given by its path; a folder of sources is built first.
  ///
  /// Blocks the thread while the compiler runs, if anything has to be compiled.
  ///
  /// - Throws: why the folder can't be built.
  package static func file(
    at path: String, options: AppOptions
  ) throws(PluginError) -> String {
    guard isSourceFolder(path) else { return path }
    let builder = builder(options)
    do throws(Rejection) { try options.lockEnforcement?.checkCompiling() } catch {
      guard let built = try builder.built(folder: path, configuration: options.configuration)
      else {
        throw PluginError(.built, path: path, error)
      }
      return built.path
    }
    return try builder.build(folder: path, configuration: options.configuration).path
  }

  /// The name of the plugin in a folder of sources; `nil` for a file.
  package static func name(at path: String) -> String? {
    isSourceFolder(path) ? PluginBuilder.name(ofFolder: path) : nil
  }

  /// Whether a path leads to a folder of sources; a folder with a library's name is none.
  private static func isSourceFolder(_ path: String) -> Bool {
    !path.hasSuffix(".so") && FilePath.isFolder(path)
  }

  /// Builds a folder, unless it is up to date, and scans the plugin.
  ///
  /// Blocks the thread while the compiler runs.
  ///
  /// - Throws: what is wrong with the folder, its sources, or the plugin that they make.
  public static func build(
    _ folder: String, _ configuration: BuildConfiguration, showsColors: Bool = false,
    options: AppOptions = AppOptions()
  ) throws(PluginFolderError) -> BuiltPlugin {
    var builder = builder(options)
    builder.showsColors = showsColors
    let built: BuiltPlugin
    do throws(PluginError) {
      built = try builder.build(folder: folder, configuration: configuration)
    } catch {
      throw PluginFolderError(problem: error, diagnostics: "")
    }
    do throws(PluginError) {
      let locator = PluginLocator(environment: options.environment)
      _ = try PluginResolver(locator: locator, options: options).resolve(path: built.path)
    } catch {
      throw PluginFolderError(problem: error, diagnostics: built.diagnostics)
    }
    return built
  }

  /// Appends a digest of its bytes to a library that was built together with this program.
  ///
  /// A library that has one already is not changed.
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

/// Why a folder of sources can't be built.
public struct PluginFolderError: Error, CustomStringConvertible {
  package let problem: PluginError
  /// The compiler's messages; empty if it did not run.
  public let diagnostics: String

  package init(problem: PluginError, diagnostics: String) {
    self.problem = problem
    self.diagnostics = problem.compiler?.text ?? diagnostics
  }

  /// Whether the compiler refused the sources; its messages are enough then.
  public var isCompilers: Bool { problem.cause.rule == .pluginNotCompiled }

  /// The problem, and what to do about it.
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
