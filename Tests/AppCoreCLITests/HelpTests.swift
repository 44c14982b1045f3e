import AppCore
import Foundation
import TestSupport
import Testing

@Suite("appcore's help")
struct HelpTests {
  @Test("Help fits a screen and has examples that parse")
  func help() async throws {
    let commands = [
      ["--help"], ["run", "--help"], ["help", "run"], ["check", "-h"], ["graph", "-h"],
      ["plugin", "new", "-h"], ["plugin", "build", "-h"], ["inspect", "-h"],
      ["new", "-h"], ["build", "-h"], ["test", "-h"], ["bundle", "-h"], ["plan", "-h"],
    ]
    for arguments in commands {
      let result = try await Program.appcore(arguments, environment: ["COLUMNS": "80"])
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 42, "\(arguments)")
      for line in lines { #expect(line.count <= 80, "\(line)") }
      #expect(lines.contains("Examples:"))
      // Who has only an installed tree has no such folder.
      #expect(!result.output.contains("manifests/"), "\(arguments)")
    }
    #expect(try await Program.appcore(["-h"]).output == Program.appcore(["--help"]).output)
  }

  @Test("The version names the SDK, the compiler and the contract")
  func version() async throws {
    let result = try await Program.appcore(["--version"])
    #expect(result.status == 0)
    #expect(
      result.output
        == "appcore \(SDK.version)\nSwift \(SDK.compilerVersion)\n\(SDK.contractSymbol)\n")
  }

  @Test("The version, the contract and all formats are JSON for programs, in either order")
  func versionJSON() async throws {
    struct Report: Decodable {
      struct Contract: Decodable {
        let symbol: String
        let epoch: Int
        let compiler: String
      }
      let name: String
      let version: String
      let sdk: String
      let architecture: String
      let contract: Contract
      let formats: [String: Int]
    }
    let result = try await Program.appcore(["--version", "--json"])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.name == "appcore")
    #expect(report.version == SDK.version && report.sdk == SDK.version)
    #expect(report.contract.symbol == SDK.contractSymbol)
    #expect(report.contract.epoch == SDK.epoch)
    #expect(report.contract.compiler == SDK.compilerVersion)
    #expect(["x86_64", "aarch64"].contains(report.architecture))
    #expect(
      Set(report.formats.keys)
        == ["manifest", "lock", "session", "interface", "recording", "screen"])
    #expect(try await Program.appcore(["--json", "--version"]).output == result.output)
  }

  @Test("An unknown command or option is reported with the nearest match")
  func nearest() async throws {
    let command = try await Program.appcore(["rnu"])
    #expect(command.status == 64)
    #expect(command.errors.contains("There is no command 'rnu'; did you mean 'run'?"))
    #expect(command.output.isEmpty)
    let option = try await Program.appcore(["run", "a.yaml", "--jsn"])
    #expect(option.status == 64)
    #expect(option.errors.contains("'--json'"))
    #expect(try await Program.appcore(["zzz"]).errors.contains("there are run, "))
    let below = try await Program.appcore(["plugin", "nwe"])
    #expect(below.status == 64)
    #expect(below.errors.contains("There is no command 'plugin nwe'; did you mean 'plugin new'?"))
  }

  @Test("The log is quiet unless it is asked for, and goes to standard error")
  func verbose() async throws {
    let arguments = ["run", "Tests/Fixtures/manifests/mocks/counter.yaml", "-c", "@add"]
    let quiet = try await Program.appcore(arguments)
    #expect(quiet.errors.isEmpty)
    let verbose = try await Program.appcore(arguments + ["--verbose"])
    #expect(verbose.output == quiet.output)
    #expect(verbose.errors.contains("loaded plugin MockSlow 1.0.0"))
    #expect(verbose.errors.contains(".view(.addTapped)"))
  }

  @Test("The manual pages have what help says, and render without a complaint")
  func manual() async throws {
    let folder = try TemporaryFolder()
    let result = try await Program.appcore(["__man", folder.url.path])
    #expect(result.status == 0, "\(result.errors)")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(
      Set(pages).isSuperset(of: [
        "appcore.1", "appcore-run.1", "appcore-plugin.1", "appcore-plugin-build.1",
      ]))
    for page in pages {
      let file = folder.url.appendingPathComponent(page)
      let source = try String(contentsOf: file, encoding: .utf8)
      #expect(source.hasPrefix(".TH \""))
      for section in ["NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"] {
        #expect(source.contains(".SH \"\(section)\""), "\(page)")
      }
      #expect(source.unicodeScalars.allSatisfy { $0.isASCII })
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { continue }
      let rendered = try await Program.run(
        "/usr/bin/groff", ["-man", "-Tutf8", "-ww", file.path])
      #expect(rendered.status == 0)
      #expect(rendered.errors.isEmpty, "\(rendered.errors)")
    }
    let run = try String(
      contentsOf: folder.url.appendingPathComponent("appcore-run.1"), encoding: .utf8)
    for option in ["\\-\\-script", "\\-\\-json", "\\-\\-plain", "\\-\\-verbose", "\\-c"] {
      #expect(run.contains(option))
    }
    #expect(try await Program.appcore(["__man", "/nowhere"]).status == 74)
  }
}
