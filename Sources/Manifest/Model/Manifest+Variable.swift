public import Diagnostics

extension Manifest {
  /// A value that a person, the environment or the manifest gives.
  public struct Variable: Sendable {
    /// The name, at its definition.
    public let name: Located<String>

    /// The name of the environment variable that may give the value.
    public let environment: Located<String>?

    /// The value: a literal, never a reference; nil when nothing gave one, which is reported.
    ///
    /// A value from `--set` or the environment is read by the type it must have; where that is a
    /// string, it is the text as it is, be it empty or `null`.
    /// Its place is the variable's definition.
    public let value: Expression?

    /// The source of the value.
    public let origin: Origin?
  }
}

extension Manifest.Variable {
  /// The source of a variable's value; an earlier case takes precedence.
  public enum Origin: Hashable, Sendable {
    /// `--set name=value`.
    case setting

    /// The environment.
    case environment

    /// The manifest's default.
    case `default`
  }
}
