internal import AppCheck
internal import Glibc
internal import PluginHost

/// What a new plugin may be called.
enum PluginName {
  /// Checks a name: it becomes a module's, part of a C symbol's, and a file's.
  static func check(
    _ name: String, modules: String, environment: [String: String]
  ) throws(ScaffoldError) {
    guard PluginLocator.isName(name), name.utf8.first != UInt8(ascii: "_") else {
      throw .invalidName(name)
    }
    if words.contains(name) { throw .reservedWord(name) }
    if toolchainModules.contains(name) { throw .knownModule(name) }
    let folder = PluginLocator.executableFolder()
    let locator = PluginLocator(
      executableFolder: folder, libraryPlugins: SDKLibrary.pluginFolder, environment: environment)
    if let path = try? locator.locate(name: name) { throw .installed(name, path: path) }
    // Whatever can be imported from there: the SDK, the test kit and the host's modules.
    if access("\(modules)/\(name).swiftmodule", F_OK) == 0 { throw .knownModule(name) }
  }

  /// Words that can't be written as a module's name without backticks.
  private static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break",
    "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "main", "nil", "open", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Modules of the toolchain that a plugin or its tests import, and the SDK.
  ///
  /// The SDK's library would be taken for a plugin's; the host's modules are found as files.
  private static let toolchainModules: Set<String> = [
    "AppCore", "Cxx", "CxxStdlib", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
    "Observation", "RegexBuilder", "Runtime", "Swift", "SwiftShims", "Synchronization", "Testing",
    "XCTest",
  ]
}
