package import PluginHost

/// Why a folder of sources makes no plugin.
public struct PluginFolderError: Error, CustomStringConvertible {
  package let problem: PluginProblem
  private let warnings: String

  package init(problem: PluginProblem, diagnostics: String) {
    self.problem = problem
    warnings = diagnostics
  }

  /// What the compiler said, in its own words; empty where it did not run.
  public var diagnostics: String {
    switch problem.cause {
    case .notBuilt(.compiler(_, let output)), .notBuilt(.compilerCrashed(_, let output)):
      return output
    default: return warnings
    }
  }

  /// Whether the compiler refused the sources, and so has said all that there is to say.
  public var isCompilers: Bool {
    if case .notBuilt(.compiler) = problem.cause { true } else { false }
  }

  /// What is wrong, and what to do about it.
  public var description: String { "\(problem)" }

  /// The status that a program should end with.
  public var exitStatus: Int32 {
    guard case .notBuilt(let failure) = problem.cause else { return 65 }
    return switch failure {
    case .noCompiler, .silentCompiler, .otherCompiler, .noModules: 69
    case .noFolder: 66
    case .compilerCrashed, .compilerEnded, .fileRefused, .locked: 74
    case .noSources, .severalModules, .noEntry, .severalEntries, .otherEntry, .invalidName,
      .compiler:
      65
    }
  }
}
