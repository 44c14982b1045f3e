package import Support

// The rules about interface files, which `appcore interface PLUGIN --json` writes.
extension Rule {
  static let interfaceNotRead = Rule(
    "interface-not-read",
    means: "The interface file can't be read. The message gives the system's reason.",
    remedy: "Name a file that `appcore interface PLUGIN --json` wrote.")
  static let interfaceTooLarge = Rule(
    "interface-too-large",
    means: "The interface file is larger than 4 MiB, or its shapes nest more than 64 deep.",
    remedy: "Name a file that `appcore interface PLUGIN --json` wrote; none is that large.")
  static let interfaceNotJSON = Rule(
    "interface-not-json",
    means: "The interface file is not JSON. The message gives the line.",
    remedy: "Write it again with `appcore interface PLUGIN --json`.")
  static let interfaceFormat = Rule(
    "interface-format",
    means: "The file has an unsupported format version, or none.",
    remedy: "Write it again with `appcore interface PLUGIN --json` of this program, or update "
      + "appcore.")
  static let interfaceInvalid = Rule(
    "interface-invalid",
    means: "A part of the file is not valid in an interface. The message names the part.",
    remedy: "Correct the part that the message names, or write the file again with "
      + "`appcore interface PLUGIN --json`.")
  static let interfaceOfOther = Rule(
    "interface-of-other",
    means: "The interface belongs to a different plugin than the one mocked.",
    remedy: "Name the file of that plugin's interface.")

  package static let interfaceRules: [Rule] = [
    .interfaceNotRead, .interfaceTooLarge, .interfaceNotJSON, .interfaceFormat, .interfaceInvalid,
    .interfaceOfOther,
  ]
}

/// The error that an interface file can't be used.
public struct InterfaceError: Error, CustomStringConvertible {
  public let path: String
  package let cause: Rejection

  public var description: String { [cause].text(about: path) }

  /// The exit status for a program that ends with this error.
  ///
  /// It is 66 (`EX_NOINPUT`) if the file can't be read, and 65 (`EX_DATAERR`) otherwise.
  public var exitStatus: Int32 { cause.rule == .interfaceNotRead ? 66 : 65 }
}
