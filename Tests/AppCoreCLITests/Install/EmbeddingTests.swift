import AppCheck
import AppCore
import AppCoreHost
import Foundation
import TestSupport
import Testing

/// The hosts of the document on embedding, compiled and run.
@Suite("A host of one's own", .long)
struct EmbeddingTests {
  let tree: InstalledTree

  init() async throws { tree = try await InstalledTree.shared }

  /// Where the listing's app is when it has done what the listing says, and what it reads there.
  private let end = ["/list/detail;name=libgcc-s1", "\"libgcc-s1\""]

  @Test("Compiled against the installed tree, it runs an app of the tree")
  func installed() async throws {
    let folder = try tree.makeFolder("documented")
    try tree.linkManifests(in: folder)
    for (name, document) in [("Greeter", "README.md"), ("Host", "docs/embedding.md")] {
      let listing = try Listing.beginning("// \(name).swift", in: document)
      try tree.write("documented/\(name).swift", listing)
    }
    // The block builds the plugin, then the host, and runs it.
    let run = try await tree.run(
      InstalledTree.documented("swiftc -emit-library"), in: "documented")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.lines.suffix(2) == end[...], "\(run.output)")
  }

  @Test("Shipped with what it needs beside it, it runs where there is neither the tree nor Swift")
  func shipped() async throws {
    try tree.makeFolder("shipping")
    try tree.write(
      "shipping/Host.swift", Listing.beginning("// Host.swift", in: "docs/embedding.md"))
    let made = try await tree.run(InstalledTree.documented("mkdir -p dist"), in: "shipping")
    try #require(made.status == 0, "\(made.output)")
    let run = try await tree.run(
      """
      mkdir 'some where' && mv dist 'some where' && cd 'some where/dist/share'
      readelf --dynamic --wide ../bin/host | grep 'PATH)' | sed 's/.*: //'
      ldd ../bin/host | grep -v -e 'some where' -e ' /lib' -e ld-linux -e linux-vdso
      env -i PATH=/usr/bin:/bin HOME="$PWD/home" COLUMNS=80 NO_COLOR=1 \
        APPCORE_DPKG_STATUS="$APPCORE_DPKG_STATUS" ../bin/host
      """, in: "shipping")
    #expect(run.lines.first == "[$ORIGIN/../lib:$ORIGIN/../lib/appcore/runtime]", "\(run.output)")
    #expect(run.lines.dropFirst().first?.hasPrefix("──") == true, "\(run.output)")
    #expect(run.lines.suffix(2) == end[...], "\(run.output)")
  }

  @Test("In the process of each host there is one image of the SDK")
  func images() async throws {
    try tree.write("Counting.swift", hostThatCounts())
    let run = try await tree.run(
      "swiftc Counting.swift \"$APPCORE/lib/libAppCoreHost.a\" -o counting"
        + " -I \"$APPCORE/lib/appcore/modules\" -L \"$APPCORE/lib\" -lAppCore"
        + " -Xlinker \"-rpath=$APPCORE/lib\" && ./counting")
    #expect(run.lines.suffix(3) == end + ["images: 1"], "\(run.output)")
    // A second one could also be inside the program.
    let symbols = try await tree.run("nm --defined-only counting | grep -c ' $s7AppCore5ValueOMn$'")
    #expect(symbols.output == "0\n")
  }

  @Test("In a package that names the checkout, it loads the plugin file of the tree")
  func package() async throws {
    // In the build's folder, so that the next run finds it built.
    let folder = buildFolder.appendingPathComponent("EmbeddingPackage")
    let sources = folder.appendingPathComponent("Sources/Host")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let manifest = try Listing.beginning("// swift-tools-version", in: "docs/embedding.md")
      .replacingOccurrences(of: "../appcore", with: packageFolder.path)
    try replace(folder.appendingPathComponent("Package.swift"), with: manifest)
    try replace(sources.appendingPathComponent("main.swift"), with: hostThatCounts())
    // The plan of an earlier run does not know of files that came since.
    try? FileManager.default.removeItem(at: folder.appendingPathComponent(".build/debug.yaml"))
    let build = try await Command.run(
      "swift build --product Host --disable-index-store", in: folder)
    try #require(build.status == 0, "\(build.output)")
    let run = try await tree.run(
      "'\(folder.path)/.build/debug/Host'",
      environment: ["APPCORE_PLUGIN_PATH": tree.root.path + "/lib/appcore/plugins"])
    #expect(run.lines.suffix(3) == end + ["images: 1"], "\(run.output)")
  }

  @Test("The plugin file that the installed program loads is loaded by this test program too")
  func sameFile() async throws {
    let app = try await launchGreeter()
    let reply = await app.send(line: "Name = Ada")
    #expect(reply.screen.last == "Hello, Ada!")
    #expect(await app.currentState?["name"] == "Ada")
    #expect(await app.path.names == ["hello"])
    await app.end()
    let maps = try await Command.run("cat /proc/\(getpid())/maps", in: tree.folder).lines
    let images = maps.filter { $0.hasSuffix("/libAppCore.so") }
    #expect(Set(images.compactMap { $0.split(separator: " ").last }).count == 1)
  }

  @Test("An app that has ended shows nothing, refuses lines, and can begin anew")
  func ending() async throws {
    let app = try await launchGreeter()
    _ = await app.send(line: "Name = Ada")
    await app.end()
    #expect(await app.currentState == nil)
    #expect(await app.path.depth == 0)
    #expect(await app.send(line: "Name = Bob").isRefused)
    await app.end()
    try await app.begin()
    #expect(await app.currentState?["name"] == "")
    await app.end()
  }

  @Test("Changes are reported, and the reporting ends with the app")
  func changes() async throws {
    let app = try await launchGreeter()
    let changes = await app.changes()
    var told = changes.makeAsyncIterator()
    _ = await app.send(line: "Name = Ada")
    #expect(await told.next() != nil)
    await app.end()
    #expect(await told.next() == nil)
    var late = await app.changes().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test("A host that is its own scanner survives a plugin that traps when it is asked")
  func ownScanner() async throws {
    try tree.write(
      "SelfScanning.swift", Listing.beginning("// SelfScanning.swift", in: "docs/embedding.md"))
    let trap = try Listing.beginning("// Greeter.swift", in: "README.md")
      .replacing("appcore_plugin_Greeter", with: "appcore_plugin_Packages")
      .replacing("registry.feature(Hello.self) { _ in Hello() }", with: "fatalError(\"broken\")")
    try tree.write("Trap.swift", trap)
    let flags = "-I \"$APPCORE/lib/appcore/modules\" -L \"$APPCORE/lib\" -lAppCore"
    let build = try await tree.run(
      "mkdir -p broken && swiftc Trap.swift -emit-library -module-name Trap \(flags)"
        + " -o broken/libPackages.so && swiftc SelfScanning.swift -o scanning \(flags)"
        + " \"$APPCORE/lib/libAppCoreHost.a\" -Xlinker \"-rpath=$APPCORE/lib\"")
    try #require(build.status == 0, "\(build.output)")
    let good = try await tree.run("./scanning")
    #expect(good.output == "/list\n")
    let bad = try await tree.run("./scanning", environment: ["APPCORE_PLUGIN_PATH": "broken"])
    #expect(
      bad.output.contains("broken/libPackages.so: it ended the scanning process with signal"),
      "\(bad.output)")
  }

  private func launchGreeter() async throws -> App {
    var options = AppOptions(environment: tree.environment)
    options.pluginPath = [tree.folder.path]
    return try await App.launch(tree.folder.path + "/greeter.yaml", options: options)
  }

  /// The listing's host, which at last counts the images of the SDK in its process.
  private func hostThatCounts() throws -> String {
    try Listing.beginning("// Host.swift", in: "docs/embedding.md") + """
      import Foundation

      let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
      let images = String(decoding: maps, as: UTF8.self).split(separator: "\\n")
        .filter { $0.hasSuffix("/libAppCore.so") }
      print("images: \\(Set(images.compactMap { $0.split(separator: " ").last }).count)")

      """
  }

  /// Writes a file only where it is another, so that what was built of it stands.
  private func replace(_ file: URL, with text: String) throws {
    guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
    try Data(text.utf8).write(to: file)
  }
}
