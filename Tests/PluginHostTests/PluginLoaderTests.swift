import Foundation
import Testing

@testable import PluginHost

@Suite("PluginLoader")
struct PluginLoaderTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func answer(_ plugin: LoadedPlugin) -> String? {
    plugin.entry().map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }

  @Test("A plugin is loaded from a private copy and answers")
  func loads() throws {
    let path = try workshop.plugin("Greeter", answer: "good day")
    let loader = try workshop.loader()
    let plugin = try loader.load(try loader.open(path: path, expecting: "Greeter"))
    #expect(plugin.name == "Greeter")
    #expect(answer(plugin) == "good day")
    #expect(plugin.copyPath.hasPrefix(workshop.folder + "/cache/appcore/plugins/Greeter-"))
    #expect(try workshop.read(plugin.copyPath) == workshop.read(path))
  }
}
