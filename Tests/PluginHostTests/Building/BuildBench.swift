internal import AppCore
import Foundation

@testable import PluginHost

/// A plugin's folder, and a compiler that is a shell script.
///
/// It counts its runs, and gives out a library that was made before. What is tested with it is what the builder does.
final class BuildBench {
  let workshop: Workshop
  var environment: [String: String]

  init() throws {
    workshop = try Workshop()
    environment = ["PATH": workshop.path("bin") + ":/usr/bin:/bin"]
    try workshop.plugin("Devices", file: "made.so")
    try compiler()
    try write("Sources/Devices/Devices.swift", "// first\n@c(appcore_plugin_Devices)\n")
  }

  /// Puts the compiler on the `PATH`.
  func compiler(version: String = SDK.compilerVersion, named name: String = "swiftc") throws {
    let script = """
      #!/bin/bash
      if [ "$1" = --version ]; then echo "Swift version \(version) (made up)"; exit; fi
      echo "$@" >> '\(workshop.path("runs"))'
      while [ $# -gt 1 ]; do shift; [ "$1" = -o ] && output=$2; done
      source '\(workshop.path("compile"))'
      """
    try program(name, script)
    try compile("cat '\(workshop.path("made.so"))' > \"$output\"")
  }

  /// Puts a program on the `PATH`.
  ///
  /// Another process writes it: what this one has open for writing, children that other tests start
  /// at the same moment hold open too, and a program that is held so can't be run.
  func program(_ name: String, _ script: String) throws {
    let draft = try workshop.write(script, to: "draft")
    chmod(draft, 0o755)
    let folder = workshop.path("bin")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Workshop.run("cp", [draft, "\(folder)/\(name)"])
  }

  /// What the compiler does.
  func compile(_ script: String) throws { try workshop.write(script, to: "compile") }

  /// How often the compiler ran.
  var runs: Int {
    let text = try? String(contentsOfFile: workshop.path("runs"), encoding: .utf8)
    return text?.split(separator: "\n").count ?? 0
  }

  func write(_ name: String, _ text: String) throws {
    try workshop.write(text, to: "Devices/" + name)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: workshop.path("Devices/" + name))
  }

  /// The SDK of this process.
  static let toolkit = PluginToolkit(
    libraryFolder: PluginLocator.libraryFolder(defining: SDK.contractSymbol) ?? "",
    compilerVersion: SDK.compilerVersion)

  func builder(_ toolkit: PluginToolkit = BuildBench.toolkit) throws -> PluginBuilder {
    PluginBuilder(toolkit: toolkit, environment: environment)
  }

  @discardableResult
  func build(
    _ configuration: BuildConfiguration = .debug, _ toolkit: PluginToolkit = BuildBench.toolkit
  ) throws -> BuiltPlugin {
    try builder(toolkit).build(
      folder: workshop.path("Devices"), configuration: configuration)
  }

  /// What is said of a build that fails, with the workshop's folder as `$DIR`.
  func refusal(_ toolkit: PluginToolkit = BuildBench.toolkit) throws -> String {
    workshop.text(try workshop.problem { try build(.debug, toolkit) })
  }
}
