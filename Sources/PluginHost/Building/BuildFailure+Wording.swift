internal import Glibc
internal import Support

extension BuildFailure {
  var message: String {
    switch self {
    case .noCompiler:
      "there is no 'swiftc' on the PATH"
    case .silentCompiler(let path):
      "'\(path) --version' names no version"
    case .otherCompiler(let path, let found, let expected):
      "'\(path)' is Swift \(found), and this appcore's SDK was built by Swift \(expected)"
    case .noModules(let folder):
      "there are no modules of the SDK beside '\(folder)/libAppCore.so'"
    case .noFolder:
      "there is no such folder"
    case .noSources:
      "the folder holds no Swift sources"
    case .severalModules(let names):
      "the folder holds \(names.count) modules instead of one"
    case .noEntry(let sources):
      "no 'appcore_plugin_<Name>' is in its \(counted(sources, "source"))"
    case .severalEntries(let names):
      "its sources name \(names.count) entries instead of one"
    case .otherEntry(let entry, let module, let file, let line):
      "\(file):\(line): the entry is named for '\(entry)', and the module is '\(module)'"
    case .invalidName(let name):
      "'\(name)' can't be the name of a plugin"
    case .compiler(let errors, _):
      errors.first ?? "the compiler refuses, and does not say why"
    case .compilerCrashed(let doing, _):
      "the compiler crashed" + (doing.last.map { ": \($0)" } ?? "")
    case .compilerEnded(let path, let reason):
      "'\(path)' \(reason)"
    case .fileRefused(let path, let error):
      "'\(path)': \(errorText(error))"
    case .locked(let path, let seconds):
      "another program has held '\(path)' locked for \(seconds) s"
    }
  }

  var details: [String] {
    switch self {
    case .severalModules(let names): names.map { "module: \($0)" }
    case .severalEntries(let names): names.map { "entry: appcore_plugin_\($0)" }
    case .compiler(let errors, _):
      errors.dropFirst().prefix(4).map { "also: \($0)" }
        + (errors.count > 5 ? ["and \(counted(errors.count - 5, "other error"))"] : [])
    case .compilerCrashed(let doing, _): doing.dropLast().suffix(4).map { "note: \($0)" }
    default: []
    }
  }

  /// What to do; `folder` is the one that was to be built.
  func remedy(folder: String) -> String {
    switch self {
    case .noCompiler:
      "install Swift, or add its folder to PATH"
    case .silentCompiler:
      "put a swiftc that works first on the PATH"
    case .otherCompiler(_, _, let expected):
      "put Swift \(expected) first on the PATH, or install an appcore that was built by yours"
    case .noModules:
      "use an appcore that was installed whole: `make install` in its checkout"
    case .noFolder, .noSources:
      "name the folder that holds Sources/<Name>/*.swift; `appcore plugin new <Name>` makes one"
    case .severalModules:
      "give each plugin a folder of its own, or build this one with `swift build`"
    case .noEntry:
      "export one function with @c(appcore_plugin_<Name>)"
    case .severalEntries:
      "give each plugin a folder of its own"
    case .otherEntry(_, let module, _, _):
      "name the entry 'appcore_plugin_\(module)', or rename the folder of the sources"
    case .invalidName:
      "a name is letters, digits and '_', and does not begin with a digit"
    case .compiler:
      "correct the sources; `\(Self.command(folder))` shows all that the compiler says"
    case .compilerCrashed:
      "the mistake is the compiler's: write what it names in another way, or report it; "
        + "`\(Self.command(folder))` shows all that the compiler says"
    case .compilerEnded:
      "try again; if it happens again, check the installation of Swift"
    case .fileRefused(_, ENOENT):
      "if it is a link, mend or remove it: it leads to nothing"
    case .fileRefused(_, ELOOP):
      "remove the link that leads back to where it stands"
    case .fileRefused:
      "check the permissions of the folder, and the free space"
    case .locked(let path, _):
      "end the other build; `fuser -v \(shellWord(path))` names it"
    }
  }

  var code: String {
    switch self {
    case .noCompiler, .silentCompiler: "plugin-no-compiler"
    case .otherCompiler: "plugin-other-compiler"
    case .noModules: "plugin-no-modules"
    case .noFolder, .noSources: "plugin-no-sources"
    case .severalModules: "plugin-several-modules"
    case .noEntry: "plugin-source-no-entry"
    case .severalEntries: "plugin-source-several-entries"
    case .otherEntry, .invalidName: "plugin-source-other-name"
    case .compiler: "plugin-not-compiled"
    case .compilerCrashed, .compilerEnded: "plugin-compiler-ended"
    case .fileRefused, .locked: "plugin-build-refused"
    }
  }

  /// The command that builds a folder, as it is typed.
  static func command(_ folder: String) -> String {
    "appcore plugin build" + (folder == "." ? "" : " " + shellWord(folder))
  }
}
