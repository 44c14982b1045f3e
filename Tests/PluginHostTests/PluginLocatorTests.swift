import Foundation
internal import Support
import Testing

@testable import PluginHost

@Suite("PluginLocator")
struct PluginLocatorTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test("Folders are searched in the documented order, each once")
  func order() {
    let locator = PluginLocator(
      pluginPath: ["/opt/a", "b"], manifestFolder: "/srv/app", executableFolder: "/usr/bin",
      environment: [
        "APPCORE_PLUGIN_PATH": "/env/one::/env/two:/opt/a", "HOME": "/home/me",
        "XDG_DATA_DIRS": "/share:relative",
      ])
    #expect(
      locator.folders == [
        "/opt/a", "b", "/env/one", "/env/two", "/srv/app", "/usr/bin",
        "/usr/lib/appcore/plugins", "/home/me/.local/share/appcore/plugins",
        "/share/appcore/plugins",
      ])
  }

  @Test("XDG's defaults hold where its variables are empty or relative")
  func defaults() {
    let shared = ["/usr/local/share/appcore/plugins", "/usr/share/appcore/plugins"]
    #expect(PluginLocator().folders == shared)
    let relative = ["XDG_DATA_HOME": "data", "XDG_DATA_DIRS": "", "HOME": "/h"]
    #expect(
      PluginLocator(environment: relative).folders == ["/h/.local/share/appcore/plugins"] + shared)
    let own = ["XDG_DATA_HOME": "/data", "HOME": "/h"]
    #expect(PluginLocator(environment: own).folders == ["/data/appcore/plugins"] + shared)
  }

  @Test("The first folder that has the file wins, even with a link to nothing")
  func firstWins() throws {
    try workshop.write("x", to: "second/libShop.so")
    try workshop.write("x", to: "third/libShop.so")
    let locator = PluginLocator(
      pluginPath: ["first", "second/", "third"].map { workshop.path($0) })
    #expect(try locator.locate(name: "Shop") == workshop.path("second/libShop.so"))

    try FileManager.default.createDirectory(
      atPath: workshop.path("first"), withIntermediateDirectories: false)
    #expect(symlink("nowhere", workshop.path("first/libShop.so")) == 0)
    #expect(try locator.locate(name: "Shop") == workshop.path("first/libShop.so"))
  }

  @Test("A path is taken as it is")
  func path() throws {
    let path = try workshop.write("x", to: "odd name.txt")
    #expect(try PluginLocator().locate(path: path) == path)
  }

  @Test(
    "Names are identifiers", arguments: ["", "1st", "a/b", "../up", "a.b", "a b", "a\0b", "größe"])
  func badNames(name: String) throws {
    #expect(throws: PluginError(.found, path: name, .invalidName(name))) {
      try PluginLocator(pluginPath: [workshop.folder]).locate(name: name)
    }
  }

  @Test("The executable's folder is where the running program is")
  func executableFolder() throws {
    let folder = try #require(PluginLocator.executableFolder())
    #expect(FileManager.default.fileExists(atPath: folder))
    #expect(CommandLine.arguments.first.map { !$0.isEmpty } == true)
  }
}
