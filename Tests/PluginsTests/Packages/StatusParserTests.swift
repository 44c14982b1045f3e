import Testing

@testable import Packages

@Suite("StatusParser")
struct StatusParserTests {
  @Test("Field names are read in any case, and values without the blanks around them")
  func fieldNamesIgnoreCase() throws {
    let database = try database("PACKAGE:  bash \t\nsTaTuS: hold ok installed\nversion:5\n")
    let package = try #require(database.package(named: "bash"))
    #expect(package.name == "bash")
    #expect(package.version == "5")
    #expect(package.isInstalled)
    #expect(package.field("VERSION") == "5")
    #expect(package.maintainer == nil)
  }

  @Test("Stanzas end at empty lines, however many, and at the end of the file")
  func stanzasEndAtEmptyLines() throws {
    for text in ["\n\n\nPackage: a\n\n\n\nPackage: b", "Package: a\r\n\r\nPackage: b\r\n\r\n"] {
      let database = try database(text)
      #expect(database.allIndices.compactMap { database.package(at: $0)?.name } == ["a", "b"])
    }
  }

  @Test("No bytes, and nothing but empty lines, are a database without packages")
  func emptyFilesAreEmptyDatabases() throws {
    for text in ["", "\n", "\n\r\n\n"] {
      let database = try database(text)
      #expect(database.count == 0)
      #expect(database.matches("").isEmpty && database.matches("a").isEmpty)
      #expect(database.package(named: "a") == nil && database.package(at: 0) == nil)
    }
  }

  @Test("A value continues over the lines that begin with a blank")
  func valuesContinue() throws {
    let text = stanza("a", "Depends: b,\n c (>= 1)\n\t| d", "Section: x")
    let package = try #require(try database(text).package(named: "a"))
    #expect(package.dependencies.map(\.description) == ["b", "c (>= 1) | d"])
    #expect(package.section == "x")
  }

  @Test("The description is unfolded to paragraphs, and indented lines stay as they are")
  func descriptionsAreUnfolded() throws {
    let text = stanza(
      "a", "Description: the summary\n One\n two.\n .\n Three:\n  - a\n    b\n .\n .\n End.")
    let package = try #require(try database(text).package(named: "a"))
    #expect(package.summary == "the summary")
    #expect(package.description.summary == "the summary")
    #expect(
      package.description.paragraphs == [
        .text("One two."), .text("Three:"), .verbatim([" - a", "   b"]), .text("End."),
      ])
    #expect(package.description.longText == "One two.\n\nThree:\n\n - a\n   b\n\nEnd.")
  }

  @Test("Bytes that are not UTF-8 are replaced, not refused")
  func badTextIsReplaced() throws {
    let bytes = Array("Package: a\nMaintainer: J".utf8) + [0xF6, 0x72, 0x67, 0x0A]
    let database = try PackageDatabase(parsing: bytes, path: "status")
    #expect(database.package(named: "a")?.maintainer == "J\u{FFFD}rg")
  }

  @Test("Only packages whose state is installed count as installed; others keep their state")
  func statesAreKept() throws {
    let text =
      stanza("a") + stanza("b", status: "deinstall ok config-files")
      + stanza("c", status: "install reinstreq half-installed") + stanza("d", status: "odd")
      + "Package: e\n"
    let database = try database(text)
    let packages = database.allIndices.compactMap { database.package(at: $0) }
    let states: [PackageState] = [
      .installed, .configFiles, .halfInstalled, .unknown, .notInstalled,
    ]
    #expect(packages.map(\.state) == states)
    #expect(database.installedCount == 1)
    #expect(packages[2].statusWords == ["install", "reinstreq", "half-installed"])
    #expect(packages[4].statusWords.isEmpty)
  }

  @Test("A number that does not fit is not a size, and a source loses its version")
  func oddValuesAreTolerated() throws {
    let size = "Installed-Size: 99999999999999999999"
    let package = try #require(
      try database(stanza("a", size, "Source: b (2.0)")).package(named: "a"))
    #expect(package.installedSize == nil)
    #expect(package.source == "b")
  }
}
