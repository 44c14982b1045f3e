internal import Glibc
internal import Support

/// Why the folder of a new plugin or app can't be made.
public enum ScaffoldError: Error, Hashable, Sendable {
  /// The name is not an identifier of ASCII letters.
  case invalidName(String)
  /// The name can't be a program's and a package's.
  case invalidAppName(String)
  /// The name is a word of Swift.
  case reservedWord(String)
  /// Every plugin test imports or links a module of this name.
  case knownModule(String)
  /// A plugin of the name is installed.
  case installed(String, path: String)
  /// Something already exists at the folder's path.
  case exists(String)
  /// The folder that is to hold it does not exist.
  case noParent(String)
  /// There are no modules of the SDK beside its library.
  case noModules(libraryFolder: String)
  /// The system refuses to write; its error number.
  case notWritten(path: String, error: Int32)

  /// The exit status.
  public var exitStatus: Int32 {
    switch self {
    case .invalidName, .invalidAppName, .reservedWord, .knownModule, .installed, .exists: 64
    case .noParent: 66
    case .noModules: 69
    case .notWritten: 74
    }
  }
}

extension ScaffoldError: CustomStringConvertible {
  public var description: String {
    "appcore: " + SafeText.line(message)
  }

  private var message: String {
    switch self {
    case .invalidName(let name):
      "'\(name)' can't be the name of a plugin: it becomes a module's and a C function's; "
        + "use letters, digits and '_', beginning with a letter, such as 'Greeter'"
    case .invalidAppName(let name):
      "'\(name)' can't be the name of an app: it becomes a program's and a package's; use "
        + "lowercase letters, digits and '-', beginning with a letter, such as 'console'"
    case .reservedWord(let name):
      "'\(name)' can't be the name of a plugin: it is a word of Swift; take another"
    case .knownModule(let name):
      "'\(name)' can't be the name of a plugin: there is a module of that name, "
        + "and a program holds only one; take another"
    case .installed(let name, let path):
      "there is a plugin '\(name)' already: '\(path)'; a manifest that asks for it by name "
        + "would get either; take another name"
    case .exists(let path):
      "'\(path)' exists, and is left as it is; remove it, or name another folder with --into"
    case .noParent(let path):
      "there is no folder '\(path)'; make it, or name another one with --into"
    case .noModules(let folder):
      "there are no modules of the SDK beside '\(folder)/libAppCore.so', so nothing can be "
        + "compiled; use a complete installation of appcore"
    case .notWritten(let path, let error):
      "can't write '\(path)': \(String(cString: strerror(error)))"
    }
  }
}
