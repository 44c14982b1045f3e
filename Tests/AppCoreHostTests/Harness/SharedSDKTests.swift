import Foundation
import Testing

/// Host, tests and plugins must share one SDK: with two of them, a plugin's types are not the
/// host's, and a test of either proves nothing.
@Suite("The SDK that this test shares with plugins")
struct SharedSDKTests {
  @Test("The test's executable defines nothing that the SDK's library defines")
  func noCopyInTheTest() async throws {
    let library = try await Symbols.external(of: Project.build + "/libAppCore.so")
    // Modules that extend the SDK's types define symbols that begin like the SDK's; only a symbol
    // that the library itself defines indicates a copy.
    #expect(library.contains("$s7AppCore5StoreCMn"))
    let test = try await Symbols.external(
      of: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    #expect(test.contains { $0.hasPrefix("$s14AppCoreTesting") })
    #expect(test.intersection(library).filter { $0.hasPrefix("$s") }.sorted() == [])
  }

  @Test("No plugin of the build defines anything that the SDK's library defines")
  func noCopyInPlugins() async throws {
    let library = try await Symbols.external(of: Project.build + "/libAppCore.so")
    for name in ["Packages", "Dialogs", "MockGood", "MockThrows"] {
      let plugin = try await Symbols.external(of: "\(Project.build)/lib\(name).so")
      #expect(plugin.contains("appcore_plugin_\(Substring(name))"))
      #expect(plugin.intersection(library).filter { $0.hasPrefix("$s") }.sorted() == [])
    }
  }

  @Test("This process has one image of the SDK's library")
  func oneImage() throws {
    // Such a file has no size, so it is read to its end.
    let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
    let lines = String(decoding: maps, as: UTF8.self)
    let images = lines.split(separator: "\n").compactMap { $0.split(separator: " ").last }
      .filter { $0.hasSuffix("/libAppCore.so") }
    #expect(Set(images) == [Substring(Project.build + "/libAppCore.so")])
  }
}
