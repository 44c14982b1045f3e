internal import AppCheck
internal import Glibc
internal import PluginHost

/// Validates names of new plugins.
enum PluginName {
  /// Checks a plugin's name, which is also used for a module, a C function and a file.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - modules: the folder with the SDK's modules.
  ///   - environment: the environment variables, which can name folders with installed plugins.
  /// - Throws: ``ScaffoldError`` if the name is invalid or already used.
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
    // The folder contains the modules of the SDK, the test kit and the host.
    if access("\(modules)/\(name).swiftmodule", F_OK) == 0 { throw .knownModule(name) }
  }

  /// Swift keywords and other words that can't be a module's name without backticks.
  private static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break",
    "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "main", "nil", "open", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Modules of the toolchain that a plugin or its tests may import, and the SDK.
  ///
  /// The SDK is listed because its library, `libAppCore.so`, would be reported as an installed
  /// plugin. The host's modules need not be listed: they are found as files.
  private static let toolchainModules: Set<String> = [
    "AppCore", "Cxx", "CxxStdlib", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
    "Observation", "RegexBuilder", "Runtime", "Swift", "SwiftShims", "Synchronization", "Testing",
    "XCTest",
  ]
}
