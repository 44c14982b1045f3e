internal import Diagnostics
package import PluginHost
internal import Support

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
