import Foundation
import TestSupport
import Testing

@Suite("Completing appcore's command line") struct CommandLineCompletionTests {
  private let manifest = "Tests/Fixtures/manifests/console/console.yaml"

  private func candidates(_ words: String...) async throws -> [String] {
    let result = try await Program.appcore(["__complete", "--"] + words)
    #expect(result.status == 0)
    return result.output.split(separator: "\n").map(String.init)
  }

  private func names(_ words: String...) async throws -> [String] {
    let result = try await Program.appcore(["__complete", "--"] + words)
    return result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("Commands come with what they do, options with theirs, and hidden ones stay hidden")
  func commands() async throws {
    #expect(try await candidates("ch") == ["check\tCheck manifests and print their problems."])
    #expect(try await !names("").contains("__scan"))
    let options = try await names("run", manifest, "--")
    #expect(options.contains("--plugin-path") && options.contains("--json"))
    #expect(try await names("run", "--json", manifest, "--js") == [])
    #expect(try await names("run", "--set", "a=b", manifest, "--sc") == ["--script"])
  }

  @Test("Where a manifest is due, manifests and folders are completed")
  func manifests() async throws {
    #expect(try await names("check", "manifests/p") == ["manifests/packages.yaml"])
    #expect(try await names("check", "Tests/Fixt") == ["Tests/Fixtures/"])
    #expect(try await names("run", "--plugin-path", "manif") == ["manifests/"])
    #expect(try await names("check", "READ") == [])
    #expect(try await names("check", "/nowhere/") == [])
  }

  @Test("Commands below a command are completed, and what they take")
  func below() async throws {
    #expect(try await names("plugin", "") == ["new", "build"])
    #expect(try await names("plugin", "build", "Plug") == ["Plugins/"])
    #expect(try await names("plugin", "build", "--configuration", "") == ["debug", "release"])
    #expect(try await names("plugin", "new", "X", "--in") == ["--into"])
    #expect(try await names("plugin", "new", "X", "--into", "Plug") == ["Plugins/"])
  }

  @Test("The names of the manifest on the command line are completed")
  func names() async throws {
    #expect(try await names("run", manifest, "--set", "") == ["interval="])
    #expect(try await names("run", manifest, "--set=i") == ["--set=interval="])
    #expect(try await names("run", "/nowhere.yaml", "--set", "") == [])
    #expect(try await names("run", "--set", "") == [])
  }

  @Test("Codes are completed, with what they mean")
  func codes() async throws {
    #expect(
      try await candidates("explain", "unknown-no")
        == ["unknown-node\tA node is used that is not defined."])
  }
}
