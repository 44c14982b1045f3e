import Foundation
import Testing

@testable import PluginHost

/// What becomes of a process in which plugins are loaded again and again.
@Suite("Builds that stay in memory")
struct MappedBuildTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test("They are counted, and refused before the system's limit of mappings is reached")
  func limit() throws {
    func loader(_ maximum: Int?) -> PluginLoader {
      PluginLoader(
        environment: workshop.environment,
        mappingLimit: maximum)
    }
    let good = try workshop.read(try workshop.plugin("Again"))
    func load(_ build: Int, by loader: PluginLoader) throws {
      let path = try workshop.write(good + Array("\(build)".utf8), to: "libAgain.so")
      _ = try loader.load(try loader.open(path: path))
    }
    let free = loader(PluginLoader.systemMappingLimit)
    let full = loader(20)
    for build in 0..<64 {
      try load(build, by: free)
      // Few builds are not what fills a process.
      try load(build, by: full)
    }
    #expect(free.mappedBuilds == 64)
    try load(64, by: free)
    #expect(free.mappedBuilds == 65)
    let problem = try workshop.problem { try load(64, by: full) }
    #expect(
      workshop.text(problem).replacing(/has [0-9]+ of/, with: "has N of") == """
        $DIR/libAgain.so: error: plugin not loaded: the program has N of at most 20 mappings of \
        memory, and a plugin needs some [plugin-too-many-mappings]
          help: start the app again: earlier builds of plugins stay in memory until it ends
        """)
    #expect(full.mappedBuilds == 64)
  }
}
