import Foundation
import Testing

@testable import PluginHost

/// A plugin as authors make them: in Swift, against the SDK that this process uses.
@Suite("A plugin in Swift")
struct SwiftPluginTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Compiles Swift against the SDK that was built beside this test.
  func compile(_ name: String, _ source: String) throws -> String {
    let build = try #require(PluginLocator.executableFolder())
    let path = workshop.path("lib\(name).so")
    let source = try workshop.write(source, to: name + ".swift")
    try Workshop.run(
      "swiftc",
      [
        "-emit-library", "-module-name", name, "-o", path, source, "-I", build + "/Modules",
        "-L", build, "-lAppCore", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN",
      ])
    return path
  }

  @Test("It binds to the host's SDK from a copy in another folder")
  func bindsToHost() throws {
    let path = try compile(
      "Weather",
      """
      import AppCore

      // A long literal, whose address carries a mark that reading must not take for damage.
      let words = ["a", "the weather today is rather longer than fifteen bytes"]

      @c(appcore_plugin_Weather)
      public func entry() -> UnsafeMutableRawPointer? {
        guard appcoreContractSymbol() == 1, words[1].utf8.count > 15 else { return nil }
        return UnsafeMutableRawPointer(bitPattern: SDK.contractSymbol.utf8.count)
      }
      """)
    let loader = workshop.loader()
    let validated = try loader.open(path: path, expecting: "Weather")
    #expect(validated.file.metadata.needed.contains("libAppCore.so"))
    #expect(validated.file.metadata.contracts == [HostSDK.current.contract])
    let plugin = try loader.load(validated)
    #expect(
      plugin.entry() == UnsafeMutableRawPointer(bitPattern: HostSDK.current.contract.symbol.count)
    )
    // The host's image answered, and no second one was loaded.
    let data = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
    let images = String(decoding: data, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasSuffix("/libAppCore.so") }
      .compactMap { $0.split(separator: " ").last }
    #expect(Set(images).count == 1)
  }
}
