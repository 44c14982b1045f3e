import Foundation
import Manifest
internal import Support
import Testing

@Suite("Manifest")
struct ManifestTests {
  private func manifest(_ kind: String, _ name: String) throws -> Manifest {
    try #require(try Fixtures.load(kind, name).manifest)
  }

  private func manifest(_ text: String, options: ManifestLoader.Options = .init()) throws
    -> Manifest
  {
    let result = ManifestLoader(options: options).load(Array(text.utf8), path: "folder/app.yaml")
    #expect(DiagnosticRenderer(sources: result.sources).render(result.problems) == "")
    return try #require(result.manifest)
  }

  @Test("Every part of the grammar's example has its place in the types")
  func readsTheExample() throws {
    let manifest = try manifest("ok", "netconsole/netconsole")
    #expect(manifest.name?.value == "netconsole")
    #expect(manifest.title?.value == "Network console")
    #expect(manifest.start?.id == manifest.node(named: "login")?.id)
    #expect(
      manifest.plugins.map(\.reference.description)
        == [
          "Session",
          Fixtures.folder.appending(path: "ok/netconsole").path(percentEncoded: false)
            + "/../Plugins/Devices", "Monitor", "Dialogs",
        ])
    #expect(manifest.plugins[1].load?.value == .lazy)
    #expect(manifest.plugins[1].version?.value.allows("1.4") == true)
    #expect(manifest.nodes.count == 12)
    let home = try #require(manifest.node(named: "home"))
    #expect(home.tabs.map(\.node.name) == ["devices", "alerts", "settings"])
    #expect(home.background.map(\.node.name) == ["monitor"])
    #expect(home.background[0].with?["token"]?.references.map(\.value.text) == ["$.token"])
    #expect(manifest.node(named: "alert")?.maxDepth?.value == 20)
    #expect(manifest.node(named: "alert")?.feature?.name == "Monitor.AlertDetail")
    #expect(manifest.routes.count == 13)
    #expect(manifest.routes[3].steps.map(\.verb) == [.select, .popTo, .push])
    #expect(manifest.routes[4].steps[0].input?.value == "intervalChosen")
    #expect(manifest.routes[7].steps.map(\.isSingleTop) == [false, false, true])
    #expect(manifest.routes[8].sources.map(\.name) == ["banner", "confirmLogout"])
    #expect(manifest.routes[8].actions.map(\.value) == ["closed", "declined"])
    #expect(manifest.routes[11].any != nil)
    let link = try #require(manifest.links.first)
    #expect(link.path.segments == [.literal("device"), .parameter("id")])
    #expect(link.open.map(\.verb) == [.push, .select, .push])
    #expect(link.needs?.id == home.id)
  }

  @Test("A node says what it was called, by a name or by several")
  func readsFormerNames() throws {
    let manifest = try manifest(
      """
      appcore: 1
      plugins: [Shop]
      start: home
      nodes:
        home: { feature: Shop.Home, was: start-page }
        cart: { feature: Shop.Cart, was: [basket, trolley] }
        list: { feature: Shop.List }
      """)
    #expect(
      manifest.nodes.map { $0.formerNames.map(\.value) }
        == [["start-page"], ["basket", "trolley"], []])
  }

  @Test("A notification goes to one instance of a node, or to all")
  func readsToAll() throws {
    let manifest = try manifest(
      """
      appcore: 1
      start: a
      nodes: { a: { feature: A.A } }
      routes:
        - { from: a, action: one, notify: a }
        - { from: a, action: all, notify: a, toAll: true }
        - { from: a, action: both, do: [ { notify: a, toAll: false }, { notify: current } ] }
      """)
    #expect(manifest.routes.flatMap(\.steps).map(\.isToAll) == [false, true, false, false])
  }

  @Test("A literal keeps its text until a type is known, and '$$' is a literal '$'")
  func readsLiterals() throws {
    let manifest = try manifest(
      """
      appcore: 1
      start: a
      nodes:
        a:
          feature: A.A
          with:
            version: 1.10
            octal: 010
            word: no
            hex: 0xff
            quoted: "true"
            nothing: ~
            price: $$5 and {$$x}
            text: a $ and {b} stay
            big: 123456789012345678901234567890
            half: .5
            block: |-
              one
              two
      """)
    let with = try #require(manifest.nodes[0].with)
    func scalar(_ key: String) throws -> Scalar {
      guard case .scalar(let scalar)? = with[key]?.kind else { throw NotScalar(key: key) }
      return scalar
    }
    #expect(try scalar("version").string == "1.10")
    #expect(try scalar("version").double == 1.1)
    #expect(try scalar("octal").int == 10)
    #expect(try scalar("word").oldBoolean != nil)
    #expect(try scalar("word").bool == nil)
    #expect(try scalar("hex").int == 255)
    #expect(try scalar("quoted").bool == nil)
    #expect(try scalar("quoted").string == "true")
    #expect(try scalar("nothing").isNull)
    #expect(try scalar("price").text == "$5 and {$x}")
    #expect(try scalar("text").text == "a $ and {b} stay")
    #expect(try scalar("big").int == nil)
    #expect(try scalar("big").double == 1.2345678901234568e29)
    #expect(try scalar("half").double == 0.5)
    #expect(try scalar("block").text == "one\ntwo")
  }

  @Test("A reference knows what it refers to, and each part of it where it stands")
  func readsReferences() throws {
    let manifest = try manifest(
      """
      appcore: 1
      start: a
      vars: { server: { default: x } }
      nodes: { a: { feature: A.A } }
      routes:
        - { from: a, action: go, push: a, with: { all: $, deep: '$.ä.c', s: "é {$vars.server}/{$dir}{$.x}" } }
      """)
    let with = try #require(manifest.routes[0].steps[0].with)
    let references = with.references
    #expect(references.map(\.value.text) == ["$", "$.ä.c", "$vars.server", "$dir", "$.x"])
    #expect(references.map(\.range.start.column) == [50, 59, 74, 89, 95])
    #expect(references[2].range.end.column == 88)
    guard case .payload(let fields) = references[1].value else {
      Issue.record("\(references[1]) is no payload")
      return
    }
    #expect(fields.map(\.range.start.column) == [62, 64])
    #expect(references[3].value == .directory(FilePath.absolute("folder")))
    guard case .interpolation(let parts)? = with["s"]?.kind else {
      Issue.record("no interpolation")
      return
    }
    #expect(parts.count == 5)
    #expect(parts[0] == .text("é "))
    #expect(parts[2] == .text("/"))
  }

  @Test("A variable comes from --set, then the environment, then its default")
  func choosesVariables() throws {
    let text = """
      appcore: 1
      start: a
      vars:
        one: { default: 1, env: ONE }
        two: { default: 2, env: TWO }
        three: { default: [3], env: THREE }
      nodes: { a: { feature: A.A, with: { x: [$vars.one, $vars.two, $vars.three] } } }
      """
    let options = ManifestLoader.Options(
      settings: ["one": "10"], environment: { ["ONE": "11", "TWO": "20"][$0] })
    let variables = try manifest(text, options: options).variables
    #expect(variables.map(\.origin) == [.setting, .environment, .default])
    #expect(variables[0].value?.kind == .scalar(Scalar(text: "10", style: .given)))
    #expect(variables[1].value?.kind == .scalar(Scalar(text: "20", style: .given)))
    guard case .array(let elements)? = variables[2].value?.kind else {
      Issue.record("\(variables[2]) is no list")
      return
    }
    #expect(elements.count == 1)
  }

  @Test("A setting is not called unknown where the variables can't be read")
  func unreadVariables() {
    let options = ManifestLoader.Options(settings: ["a": "1"], environment: { _ in nil })
    let loaded = ManifestLoader(options: options).load(
      Array("appcore: 1\nvars: [a]\nstart: a\nnodes: { a: { feature: A.A } }\n".utf8),
      path: "m.yaml")
    #expect(
      !loaded.problems.contains { $0.code == "unknown-setting" }, "\(loaded.problems.map(\.code))")
    #expect(!loaded.problems.isEmpty)
  }

  @Test("Digits of another radix make no whole number")
  func radix() {
    for text in ["0o17", "0xFF", "12", "-3"] {
      #expect(Scalar(text: text, style: .plain).isWholeNumber, "\(text)")
    }
    for text in ["0o9", "0oFF", "0xG", "0x", "1e5"] {
      #expect(!Scalar(text: text, style: .plain).isWholeNumber, "\(text)")
    }
  }

  @Test("A default may say where the manifest's folder is")
  func readsFoldersInDefaults() throws {
    let variables = try manifest(
      """
      appcore: 1
      start: a
      vars:
        folder: { default: $dir }
        rules: { default: "{$dir}/rules.tsv" }
        all: { default: [ $dir, { a: "{$dir}/a and {$$dir}" } ] }
      nodes: { a: { feature: A.A, with: { x: [$vars.folder, $vars.rules, $vars.all] } } }
      """
    ).variables
    func text(_ expression: Manifest.Expression?) -> String? {
      guard case .scalar(let scalar)? = expression?.kind else { return nil }
      return scalar.string
    }
    let folder = FilePath.absolute("folder")
    #expect(folder.hasPrefix("/") && folder.hasSuffix("/folder"))
    #expect(text(variables[0].value) == folder)
    #expect(text(variables[1].value) == "\(folder)/rules.tsv")
    guard case .array(let elements)? = variables[2].value?.kind else {
      Issue.record("\(variables[2]) is no list")
      return
    }
    #expect(elements.map { text($0["a"] ?? $0) } == [folder, "\(folder)/a and {$dir}"])
  }

  @Test("A variable may say where the app's own files and the home folder are")
  func readsFoldersOfTheEnvironment() throws {
    func values(_ environment: [String: String], _ settings: [String: String] = [:]) throws
      -> [String?]
    {
      let text = """
        appcore: 1
        start: a
        vars:
          data: { default: $data }
          file: { default: "{$data}/rows.json" }
          home: { default: ~/notes }
          none: { default: ~ }
          tilde: { default: a~/b }
        nodes:
          a:
            feature: A.A
            with: { x: [$vars.data, $vars.file, $vars.home, $vars.none, $vars.tilde] }
        name: My app
        """
      var options = ManifestLoader.Options(settings: settings, environment: { environment[$0] })
      options.allowsUnsetVariables = false
      return try manifest(text, options: options).variables.map {
        if case .scalar(let scalar)? = $0.value?.kind { scalar.string } else { nil }
      }
    }
    let home = ["HOME": "/home/ada", "XDG_DATA_HOME": "relative"]
    #expect(
      try values(home) == [
        "/home/ada/.local/share/My-app", "/home/ada/.local/share/My-app/rows.json",
        "/home/ada/notes", nil, "a~/b",
      ])
    #expect(try values(home.merging(["XDG_DATA_HOME": "/d"]) { $1 })[0] == "/d/My-app")
    #expect(
      try values(home.merging(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"]) { $1 })[1]
        == "/var/lib/a/rows.json")
    #expect(
      try values(home, ["data": "~/x", "home": "~", "tilde": "~ada"]) == [
        "/home/ada/x", "/home/ada/.local/share/My-app/rows.json", "/home/ada", nil, "~ada",
      ])
  }

  @Test("A folder that the environment does not name is a problem where it is used")
  func reportsUnknownFolders() {
    let text = """
      appcore: 1
      start: a
      vars: { data: { default: $data }, home: { default: ~/notes }, set: { default: x } }
      nodes: { a: { feature: A.A, with: { x: [$vars.data, $vars.home, $vars.set] } } }
      """
    let options = ManifestLoader.Options(
      settings: ["set": "~/x"], environment: { $0 == "HOME" ? "relative" : nil })
    let problems = ManifestLoader(options: options).load(Array(text.utf8), path: "a.yaml").problems
    #expect(problems.map(\.code) == ["no-folder", "no-folder", "no-folder"])
    #expect(problems.first?.message.contains("STATE_DIRECTORY, XDG_DATA_HOME or HOME") == true)
  }

  @Test("An alias stands for the value of its anchor, also in an ignored key")
  func followsAliases() throws {
    let manifest = try manifest(
      """
      appcore: 1
      start: a
      x-paging: &paging { size: 50 }
      nodes:
        a: { feature: A.A, with: *paging }
        b: { feature: &feature A.B, with: { inner: *paging } }
        c: { feature: *feature }
      """)
    #expect(manifest.nodes[0].with?["size"]?.kind == .scalar(Scalar(text: "50", isPlain: true)))
    #expect(manifest.nodes[1].with?["inner"]?["size"] == manifest.nodes[0].with?["size"])
    #expect(manifest.node(named: "c")?.feature?.name == "A.B")
  }

  private struct NotScalar: Error {
    let key: String
  }
}

extension Manifest {
  /// The node with a name; `nil` if there is none.
  fileprivate func node(named name: String) -> Node? { nodeIDs[name].map { self[$0] } }
}

extension Manifest.Expression {
  /// The expression at a key of a map; `nil` if this is not a map or has no such key.
  fileprivate subscript(key: String) -> Manifest.Expression? {
    guard case .object(let fields) = kind else { return nil }
    return fields.first { $0.name.value == key }?.value
  }
}
