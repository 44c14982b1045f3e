internal import AppCore
import Foundation
import TestSupport

@testable import PluginHost

/// A folder of its own for one test, and the tools that make real libraries in it.
final class Workshop {
  let folder: String
  static let contractSymbol = SDK.contractSymbol
  static let otherContract = "appcore_contract_9_swift_6_3_1"

  init() throws {
    folder = NSTemporaryDirectory() + "appcore-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var environment: [String: String] { ["XDG_CACHE_HOME": folder + "/cache"] }

  func path(_ name: String) -> String { folder + "/" + name }

  func loader() -> PluginLoader { PluginLoader(environment: environment) }

  @discardableResult
  func makeFolder(_ name: String) throws -> String {
    let path = path(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path(name)
    try makeFolder((name as NSString).deletingLastPathComponent)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Compiles C into a library.
  @discardableResult
  func library(_ name: String, _ source: String, _ options: [String] = []) throws -> String {
    let source = try write(source, to: name + ".c")
    let path = path(name)
    try Self.run("cc", ["-shared", "-fPIC", "-O1", "-o", path, source] + options)
    return path
  }

  /// The C of a plugin that refers to a contract and answers with a text.
  static func plugin(
    _ name: String, contract: String = SDK.contractSymbol, answer: String = "hello",
    more: String = ""
  ) -> String {
    """
    extern int \(contract)(void);
    \(more)
    void *appcore_plugin_\(name)(void) { return \(contract)() ? (void *)"\(answer)" : 0; }
    """
  }

  /// Compiles a plugin in C.
  @discardableResult
  func plugin(
    _ name: String, file: String? = nil, contract: String = SDK.contractSymbol,
    answer: String = "hello", more: String = "", options: [String] = []
  ) throws -> String {
    try library(
      file ?? "lib\(name).so",
      Self.plugin(name, contract: contract, answer: answer, more: more), options)
  }

  static func run(_ tool: String, _ arguments: [String]) throws {
    let pipe = Pipe()
    let process = try ChildProcess(
      "/usr/bin/env", [tool] + arguments, output: pipe.fileHandleForWriting,
      errors: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    guard process.waitForEnd().status == 0 else {
      throw Failure("\(tool): \(String(decoding: output, as: UTF8.self))")
    }
  }

  /// The path of a tool.
  static func find(_ tool: String) throws -> String {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = folders.map { String($0) + "/" + tool }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure("there is no '\(tool)' on the PATH")
    }
    return path
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The problem that an operation ends in.
  func problem<Result>(_ body: () throws -> Result) throws -> PluginError {
    do { _ = try body() } catch let problem as PluginError { return problem }
    throw Failure("no problem")
  }

  /// What is said of a problem, with this folder's path as `$DIR`.
  func text(_ problem: PluginError) -> String {
    problem.description.replacingOccurrences(of: folder, with: "$DIR")
  }
}

extension OpenedPlugin {
  /// What a plugin in C answers.
  var answer: String? {
    entry().map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }
}
