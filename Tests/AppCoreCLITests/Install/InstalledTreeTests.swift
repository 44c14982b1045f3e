import Foundation
import TestSupport
import Testing

@Suite("An installed tree", .long)
struct InstalledTreeTests {
  let tree: InstalledTree

  init() async throws { tree = try await InstalledTree.shared }

  @Test("Its programs and libraries name no folder but by their own place")
  func runPaths() async throws {
    let binaries = try tree.binaries()
    #expect(binaries.contains("bin/appcore"))
    #expect(binaries.contains("lib/libAppCore.so"))
    #expect(binaries.contains("lib/appcore/plugins/libPackages.so"))
    for binary in binaries {
      let read = try await tree.run("readelf --dynamic --wide \"$APPCORE/\(binary)\"")
      try #require(read.status == 0, "\(read.output)")
      for line in read.lines where line.contains("PATH)") {
        let value = line.split(separator: "[").last?.dropLast() ?? ""
        for folder in value.split(separator: ":") {
          #expect(folder.hasPrefix("$ORIGIN"), "\(binary) searches \(folder)")
        }
      }
      for line in read.lines where line.contains("(NEEDED)") || line.contains("(SONAME)") {
        #expect(!(line.split(separator: "[").last ?? "").contains("/"), "\(binary): \(line)")
      }
    }
  }

  @Test("Everything it needs stands in it or in the system's folders")
  func libraries() async throws {
    for binary in try tree.binaries() {
      let list = try await tree.run("ldd \"$APPCORE/\(binary)\"")
      #expect(!list.output.contains("not found"), "\(binary): \(list.output)")
      for line in list.lines {
        guard let path = line.components(separatedBy: " => ").dropFirst().first else { continue }
        let isSystem = path.hasPrefix("/lib/") || path.hasPrefix("/usr/lib/x86_64")
        #expect(isSystem || path.hasPrefix(tree.root.path), "\(binary) takes \(path)")
        let isSwift = path.contains("libswift") || path.contains("libAppCore")
        #expect(!isSwift || path.hasPrefix(tree.root.path), "\(binary) takes \(path)")
      }
    }
  }

  @Test("It runs the app that ships, from where it was moved to")
  func packages() async throws {
    let run = try await tree.run(
      "\"$APPCORE/bin/appcore\" run \"$APPCORE/share/appcore/manifests/packages.yaml\"",
      input: "@filter libg\n@libgcc-s1\n@depends.libc6\n:plugins\n:path --full\n")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("/list/detail;name=libgcc-s1/detail;name=libc6"))
    #expect(run.output.contains("Packages  1.0.0"))
  }

  @Test("The completions of bash, zsh and fish stand where they are looked for")
  func completions() async throws {
    for file in [
      "bash-completion/completions/appcore", "zsh/site-functions/_appcore",
      "fish/vendor_completions.d/appcore.fish",
    ] {
      let text = try String(
        contentsOf: tree.root.appendingPathComponent("share/" + file), encoding: .utf8)
      #expect(text.contains("---completion run"))
    }
  }

  @Test("Comments of declarations are read beside the modules")
  func comments() async throws {
    let modules = tree.root.appendingPathComponent("lib/appcore/modules")
    let files = try FileManager.default.contentsOfDirectory(atPath: modules.path)
    let names = files.filter { $0.hasSuffix(".swiftmodule") }.map { $0.dropLast(6) }
    #expect(names.count >= 3)
    for name in names { #expect(files.contains(name + "doc"), "\(name)doc") }
    let graph = try await tree.run(
      """
      mkdir -p symbols && swift symbolgraph-extract -module-name AppCore -output-dir symbols \
        -I "$APPCORE/lib/appcore/modules" -target "$(uname -m)-unknown-linux-gnu" \
        -minimum-access-level public
      """)
    #expect(graph.status == 0, "\(graph.output)")
    let symbols = try String(
      contentsOf: tree.folder.appendingPathComponent("symbols/AppCore.symbols.json"),
      encoding: .utf8)
    #expect(symbols.contains("Adds a choice of one of several options, which"))
  }

  @Test("The documents and schemas stand in it, and lead to one another")
  func documents() throws {
    let folder = tree.root.appendingPathComponent("share/doc/appcore")
    let docs = try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("docs").path)
    #expect(docs.contains("features.md"))
    for schema in ["appcore-1.json", "shell-1.json"] {
      let path = folder.appendingPathComponent("schema/\(schema)").path
      #expect(FileManager.default.fileExists(atPath: path), "\(schema)")
    }
    // The case studies are there to be read.
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: tree.root.appendingPathComponent("share/appcore/manifests").path
      ).sorted() == ["notes.yaml", "packages.yaml"])
    // The folder of pictures is among them.
    for document in ["README.md"] + docs.filter({ $0.hasSuffix(".md") }).map({ "docs/\($0)" }) {
      let file = folder.appendingPathComponent(document)
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
        let target = file.deletingLastPathComponent().appendingPathComponent(String(match.1))
        #expect(
          FileManager.default.fileExists(atPath: target.path), "\(document) links to \(match.1)")
      }
    }
  }

  @Test("The reference has every type of SDK and test kit, and its links lead somewhere")
  func reference() throws {
    let folder = tree.root.appendingPathComponent("share/doc/appcore/reference")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }
    var headings: [String: Set<String>] = [:]
    var links: [(file: String, target: String, heading: String)] = []
    for file in files {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      headings[file] = Set(
        text.matches(of: #/(?m)^## (.+)$/#).map { match in
          match.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        })
      for match in text.matches(of: /\]\(([^)#:\s]*)(?:#([^)\s]*))?\)/) {
        links.append((file, String(match.1), match.2.map(String.init) ?? ""))
      }
    }
    let all = headings.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(
      all.isSuperset(of: [
        "store", "effect", "reducer", "identifiedarray", "teststore", "appharness", "mockfeature",
        "appoptions",
      ]))
    #expect(links.count > 50)
    for link in links {
      let base = URL(fileURLWithPath: "/" + link.file).deletingLastPathComponent()
      let path =
        link.target.isEmpty
        ? link.file
        : String(
          base.appendingPathComponent(link.target.removingPercentEncoding ?? "").standardizedFileURL
            .path.dropFirst())
      let found = try #require(headings[path], "\(link.file) links to \(link.target)")
      #expect(link.heading.isEmpty || found.contains(link.heading), "\(link)")
    }
  }

  @Test("It scans plugins with its own program, and keeps the result")
  func scanning() async throws {
    // Another cache: here nothing was scanned before.
    let cache = tree.folder.appendingPathComponent("scans").path
    let check = "\"$APPCORE/bin/appcore\" check manifests/packages.yaml"
    let first = try await tree.run(check, environment: ["XDG_CACHE_HOME": cache])
    #expect(first.status == 0, "\(first.output)")
    let files = try await tree.run("find '\(cache)' -type f | wc -l")
    #expect(files.output != "0\n")
    let broken = try await tree.run(
      check, environment: ["XDG_CACHE_HOME": cache + "2", "APPCORE_SCANNER": "/bin/false"])
    #expect(broken.status == 69, "\(broken.output)")
  }

  @Test("A plugin is compiled against its modules and runs in it")
  func plugin() async throws {
    let run = try await tree.run(
      "\"$APPCORE/bin/appcore\" run greeter.yaml --plugin-path .", input: "Name = Ada\n")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.lines.last == "Hello, Ada!")
  }

  @Test("A plugin of the tree with one changed byte is refused before any of its code runs")
  func damage() async throws {
    let run = try await tree.run(
      """
      mkdir -p damaged && cp "$APPCORE/lib/appcore/plugins/libPackages.so" damaged
      tail -n 1 damaged/libPackages.so
      printf x | dd of=damaged/libPackages.so bs=1 seek=100000 conv=notrunc status=none
      "$APPCORE/bin/appcore" check manifests/packages.yaml --plugin-path damaged
      """)
    #expect(run.status == 69, "\(run.output)")
    #expect(run.output.hasPrefix("appcore-stamp 1 debug "), "\(run.output)")
    #expect(
      run.output.contains("damaged/libPackages.so: its bytes are not those that it was built with"))
  }

  @Test("The kit for whole apps runs one from a program's own tests")
  func hostKit() async throws {
    try tree.write(
      "kit.yaml",
      """
      appcore: 1
      name: kit
      plugins: [Door]
      start: bell
      nodes: { bell: { feature: Door.Bell } }

      """)
    try tree.write(
      "Kit.swift",
      """
      import AppCore
      import AppCoreHostTesting

      let app = try await AppHarness(manifest: "kit.yaml", mocks: [MockFeature("Door.Bell")])
      print(await app.path)

      """)
    let archives = ["AppCoreHostTesting", "AppCoreTesting", "AppCoreHost"].map {
      " \"$APPCORE/lib/lib\($0).a\""
    }
    let command = try await tree.run(
      "swiftc Kit.swift\(archives.joined())"
        + " -o kit -I \"$APPCORE/lib/appcore/modules\" -L \"$APPCORE/lib\" -lAppCore"
        + " -Xlinker \"-rpath=$APPCORE/lib\" && ./kit")
    #expect(command.output == "/bell\n")
  }

  @Test("Installing over a tree replaces its files and writes into none")
  func reinstall() async throws {
    let place = tree.folder.appendingPathComponent("again").path
    let install = "scripts/install.sh --build '\(buildFolder.path)' --prefix '\(place)'"
    #expect(try await Command.run(install, in: packageFolder).status == 0)
    func inode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: place + "/lib/libAppCore.so")[
        .systemFileNumber] as? Int
    }
    // Held open, so that its number isn't given to another file.
    let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: place + "/lib/libAppCore.so"))
    let before = try inode()
    #expect(try await Command.run(install, in: packageFolder).status == 0)
    #expect(try inode() != before)
    try old.close()
  }
}
