internal import Glibc
package import Support

// The requirements for finding and reading a plugin's file.
extension Rule {
  static let invalidPluginName = Rule(
    "invalid-plugin-name",
    means: "The plugin name or file path is not valid.",
    remedy: "Write a name of letters, digits and `_` that does not begin with a digit; a path must "
      + "contain a `/`.")

  static let pluginNotFound = Rule(
    "plugin-not-found",
    means: "No file `libName.so` is on the plugin path, or nothing is at the path given. Every "
      + "path that was tried is listed.",
    remedy: "Build the plugin, or name its folder with `--plugin-path` or `APPCORE_PLUGIN_PATH`.")

  static let pluginNotAFile = Rule(
    "plugin-not-a-file",
    means: "The path leads to a folder, a device or something else that is not a regular file.",
    remedy: "Name the plugin's `.so` file.")

  static let pluginBrokenLink = Rule(
    "plugin-broken-link",
    means: "The path is a symbolic link that leads to nothing, or back to itself.",
    remedy: "Build the plugin, or correct the link.")

  static let pluginUnreadable = Rule(
    "plugin-unreadable", means: "The system refuses to open or read the file.",
    remedy: "Check the permissions of the file and of the folders on its path.")

  static let pluginWritable = Rule(
    "plugin-writable",
    means: "Other users of the machine can change the file, or put another one in its place: it or "
      + "its folder belongs to another user, or is writable by everybody or by a group that is not "
      + "the user's own. A plugin's code can do everything that the program can do.",
    remedy: "Run `chmod go-w`, or install the plugin as root or as the user who runs it; "
      + "`--allow-writable` accepts such files as they are.")

  static let pluginEmpty = Rule(
    "plugin-empty", means: "The file has no bytes.", remedy: "Build or copy the file again.")

  static let pluginTooLarge = Rule(
    "plugin-too-large", means: "The file is larger than any plugin should be.",
    remedy: "Build the plugin for release, or strip it of debug information.")

  static let pluginChanged = Rule(
    "plugin-changed",
    means: "The file changed while it was read, or after the manifest was checked: a build "
      + "overwrote it.",
    remedy: "Wait until the build has ended, and start the app again.")

  static let pluginNotELF = Rule(
    "plugin-not-elf", means: "The file is not an ELF file.",
    remedy:
      "Name the plugin's `.so` file, or build it as a dynamic library with `appcore plugin build`.")

  static let pluginOtherMachine = Rule(
    "plugin-other-machine", means: "The file was built for another architecture.",
    remedy: "Build the plugin for this machine.")

  static let pluginNotShared = Rule(
    "plugin-not-shared", means: "The file is an object file, a program or a core dump.",
    remedy:
      "Build the plugin as a dynamic library: with `appcore plugin build`, or as a product of "
      + "type `.dynamic`.")

  static let pluginTruncated = Rule(
    "plugin-truncated", means: "The file is shorter than its headers say.",
    remedy: "Build or copy the file again.")

  static let pluginDamaged = Rule(
    "plugin-damaged", means: "An ELF structure of the file has an invalid value.",
    remedy: "Build or copy the file again.")

  static let pluginNotAsBuilt = Rule(
    "plugin-not-as-built",
    means: "The file does not match its build digest, which `appcore plugin build` adds: it was "
      + "damaged or changed.",
    remedy: "Copy the file again, or rebuild it.")

  static let fileRules: [Rule] = [
    .invalidPluginName, .pluginNotFound, .pluginNotAFile, .pluginBrokenLink, .pluginUnreadable,
    .pluginWritable, .pluginEmpty, .pluginTooLarge, .pluginChanged, .pluginNotELF,
    .pluginOtherMachine, .pluginNotShared, .pluginTruncated, .pluginDamaged, .pluginNotAsBuilt,
  ]
}

extension Rejection {
  static func invalidName(_ name: String) -> Rejection {
    Rejection(.invalidPluginName, "'\(name)' can't be the name of a plugin")
  }

  /// There is nothing at a path; `error` is the `errno`, and `resolved` the absolute path.
  static func notFound(error: Int32, resolved: String? = nil) -> Rejection {
    Rejection(
      .pluginNotFound, errorText(error), details: resolved.map { ["tried: \($0)"] } ?? [],
      remedy: "build the plugin, or correct the path")
  }

  /// A plugin is not on the search path; `tried` is every path that was tried, with its `errno`.
  static func notFound(name: String, tried: [(path: String, error: Int32)]) -> Rejection {
    Rejection(
      .pluginNotFound, "no file 'lib\(name).so' on the plugin path",
      details: tried.map { path, error in
        let isObvious = error == ENOENT || error == ENOTDIR
        return "tried: \(path)" + (isObvious ? "" : " (\(errorText(error)))")
      })
  }

  static func notAFile(_ kind: FileKind) -> Rejection {
    Rejection(.pluginNotAFile, "this is \(kind.rawValue)")
  }

  static func danglingLink(target: String) -> Rejection {
    Rejection(.pluginBrokenLink, "this is a link to '\(target)', which does not exist")
  }

  static var linkLoop: Rejection {
    Rejection(.pluginBrokenLink, "this link leads back to itself")
  }

  static func unreadable(error: Int32) -> Rejection {
    Rejection(.pluginUnreadable, "the system refuses: \(errorText(error))")
  }

  /// Other users can change the file at a path, or the contents of the folder there.
  static func writable(path: String, _ violation: TrustViolation) -> Rejection {
    let remedy =
      if case .owner = violation {
        "install the plugin as root or as the user who runs it, or accept '\(path)' as it is with "
          + "`--allow-writable`"
      } else {
        "run `chmod go-w \(shellWord(path))`, or accept it as it is with `--allow-writable`"
      }
    return Rejection(
      .pluginWritable, "other users can change '\(path)', which \(violation.words)", remedy: remedy)
  }

  static var empty: Rejection { Rejection(.pluginEmpty, "the file is empty") }

  /// Sizes in bytes.
  static func tooLarge(size: UInt64, limit: UInt64) -> Rejection {
    Rejection(.pluginTooLarge, "the file has \(size) bytes, and \(limit) is the limit")
  }

  static var changedWhileRead: Rejection {
    Rejection(
      .pluginChanged, "the file changed while it was read",
      remedy: "wait until the build has ended, and try again")
  }

  package static var changedSinceChecked: Rejection {
    Rejection(
      .pluginChanged, "the file has changed since the manifest was checked",
      remedy: "start the app again, so that its manifest is checked with the new file")
  }

  /// The bytes do not match the file's stamp.
  static func notAsBuilt(path: String) -> Rejection {
    Rejection(
      .pluginNotAsBuilt, "its bytes are not those that it was built with",
      remedy: "copy the file again, or rebuild it: " + RebuildCommand.of(path))
  }

  /// The file is not a shared object for this machine, or it is damaged.
  static func notALibrary(_ error: ELFError) -> Rejection {
    let place = "the \(error.structure.rawValue) at \(hex(error.offset))"
    return switch error.kind {
    case .notELF(.unknown): Rejection(.pluginNotELF, "this is not an ELF file")
    case .notELF(let file): Rejection(.pluginNotELF, "this is \(file.rawValue)")
    case .notClass64(1): Rejection(.pluginOtherMachine, "it is for 32-bit programs")
    case .notClass64(let found):
      Rejection(.pluginOtherMachine, "its class at 0x4 is \(found) instead of 2 (64-bit)")
    case .notLittleEndian(2): Rejection(.pluginOtherMachine, "it is for a big-endian machine")
    case .notLittleEndian(let found):
      Rejection(
        .pluginOtherMachine, "its byte order at 0x5 is \(found) instead of 1 (little-endian)")
    case .otherMachine(let machine, let host):
      Rejection(
        .pluginOtherMachine,
        "it is for \(ELFConstants.Machine.name(machine)), and this host is "
          + ELFConstants.Machine.name(host))
    case .notSharedObject(let type):
      Rejection(.pluginNotShared, "this is \(type.words), not a shared library")
    case .truncated(.max, _):
      Rejection(.pluginTruncated, "\(place) reaches past the end of all memory")
    case .truncated(let end, let size):
      Rejection(
        .pluginTruncated,
        "cut off: \(place) reaches to \(hex(end)), and the file ends at \(hex(size))")
    case .malformed(let expected, let found):
      Rejection(.pluginDamaged, "damaged: \(place) should have \(expected), and has \(found)")
    }
  }
}

extension ELFError.FileType {
  fileprivate var words: String {
    switch self {
    case .relocatable: "an object file"
    case .executable: "an executable"
    case .core: "a core dump"
    case .unknown(let number): "an ELF file of type \(number)"
    }
  }
}

extension TrustViolation {
  var words: String {
    switch self {
    case .owner(let user): "belongs to the user \(user)"
    case .everybody(let mode): "is writable for everybody (mode \(Self.octal(mode)))"
    case .group(let group, let mode):
      "is writable for the group \(group) (mode \(Self.octal(mode)))"
    }
  }

  /// Permission bits as `chmod` and `stat` write them.
  private static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

func errorText(_ error: Int32) -> String {
  guard let text = strerror(error) else { return "error \(error)" }
  let words = String(cString: text)
  return words.prefix(1).lowercased() + words.dropFirst()
}
