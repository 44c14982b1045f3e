import Foundation
import Testing

@Suite("Completing appcore's command line") struct CommandLineCompletionTests {
  private let manifest = "Tests/Fixtures/manifests/console/console.yaml"

  private func candidates(_ words: String...) throws -> [String] {
    let result = try Program.appcore(["__complete", "--"] + words)
    #expect(result.status == 0)
    return result.output.split(separator: "\n").map(String.init)
  }

  private func names(_ words: String...) throws -> [String] {
    let result = try Program.appcore(["__complete", "--"] + words)
    return result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("Commands come with what they do, options with theirs, and hidden ones stay hidden")
  func commands() throws {
    #expect(try candidates("ch") == ["check\tPrint every problem in a manifest."])
    #expect(try !names("").contains("__scan"))
    let options = try names("run", manifest, "--")
    #expect(options.contains("--plugin-path") && options.contains("--json"))
    #expect(try names("run", "--json", manifest, "--js") == [])
    #expect(try names("run", "--set", "a=b", manifest, "--sc") == ["--script"])
  }

  @Test("Where a manifest is due, manifests and folders are completed")
  func manifests() throws {
    #expect(try names("check", "manifests/p") == ["manifests/packages.yaml"])
    #expect(try names("check", "Tests/Fixt") == ["Tests/Fixtures/"])
    #expect(try names("run", "--plugin-path", "manif") == ["manifests/"])
    #expect(try names("check", "READ") == [])
    #expect(try names("check", "/nowhere/") == [])
  }

  @Test("Commands below a command are completed, and what they take")
  func below() throws {
    #expect(try names("plugin", "") == ["new", "build"])
    #expect(try names("plugin", "build", "Plug") == ["Plugins/"])
    #expect(try names("plugin", "build", "--configuration", "") == ["debug", "release"])
    #expect(try names("plugin", "new", "X", "--in") == ["--into"])
    #expect(try names("plugin", "new", "X", "--into", "Plug") == ["Plugins/"])
  }

  @Test("The names of the manifest on the command line are completed")
  func names() throws {
    #expect(try names("run", manifest, "--set", "") == ["interval="])
    #expect(try names("run", manifest, "--set=i") == ["--set=interval="])
    #expect(try names("run", "/nowhere.yaml", "--set", "") == [])
    #expect(try names("run", "--set", "") == [])
  }

  @Test("Codes are completed, with what they mean")
  func codes() throws {
    #expect(
      try candidates("explain", "unknown-no")
        == ["unknown-node\tA node is used that is not defined."])
  }
}
