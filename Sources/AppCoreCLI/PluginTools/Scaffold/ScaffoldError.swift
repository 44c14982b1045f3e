internal import Glibc
internal import Support

/// An error in creating the folder of a new plugin or app.
public enum ScaffoldError: Error, Hashable, Sendable {
  /// The name is not valid for a plugin: ASCII letters, digits and `_`, beginning with a letter.
  case invalidName(String)
  /// The name is not valid for an app: 2 to 64 lowercase ASCII letters, digits and `-`, beginning
  /// with a letter and not ending with `-`.
  case invalidAppName(String)
  /// The name is a word that Swift reserves.
  case reservedWord(String)
  /// A module of the toolchain, the SDK or the host has this name.
  case knownModule(String)
  /// A plugin of this name is installed at `path`.
  case installed(String, path: String)
  /// Something already exists at the folder's path.
  case exists(String)
  /// The parent folder does not exist.
  case noParent(String)
  /// The SDK's modules are not installed beside its library.
  case noModules(libraryFolder: String)
  /// A file or folder can't be written; `error` is an `errno` value.
  case notWritten(path: String, error: Int32)

  /// The exit status for a program that ends because of this error.
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
        + "2 to 64 lowercase letters, digits and '-', beginning with a letter and not ending with "
        + "'-', such as 'console'"
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
