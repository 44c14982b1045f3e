internal import AppCore
import AppCoreHost
import AppCoreHostTesting
import Foundation
import Testing

/// Links and positions as a person opens them, in an app of mocks.
@Suite("Links and positions")
struct LinkTests {
  static let manifest = """
    appcore: 1
    plugins: [Shop]
    start: login
    nodes:
      login: { feature: Shop.Login }
      home: { tabs: [list, { node: search, with: { text: $.user } }] }
      list: { feature: Shop.List }
      search: { feature: Shop.Search }
      item: { feature: Shop.Item, with: { size: 1.5 } }
      vault: { feature: Shop.Vault }
    routes:
      - { from: login, action: loggedIn, replace: home, with: { user: $.user } }
      - { from: list, action: opened, push: vault, with: { pin: $.pin } }
      - { from: list, action: chosen, present: item, with: $ }
    links:
      - { path: "item/{id}?tag={tag}", open: [home, { push: item, with: { id: $.id, tag: $.tag } }], needs: home }
      - { path: item/new, open: [home, { push: item, with: { id: 0, tag: new } }], needs: home }
      - { path: login, open: [login] }
    """

  static let mocks = [
    MockFeature("Shop.Login", delegates: [MockCase("loggedIn", ["user": .string])]),
    MockFeature(
      "Shop.List",
      delegates: [
        MockCase("opened", ["pin": .secret]),
        MockCase(
          "chosen", ["id": .int, "tag": .string, "names": .array(.string), "size": .double]),
      ]),
    MockFeature("Shop.Search", arguments: ["text": .optional(.string)]),
    MockFeature(
      "Shop.Item",
      arguments: [
        "id": .int, "tag": .optional(.string), "names": .optional(.array(.string)),
        "size": .double,
      ]),
    MockFeature("Shop.Vault", arguments: ["pin": .secret]),
  ]

  func app(loggedIn: Bool = true) async throws -> AppHarness {
    let app = try await AppHarness(text: Self.manifest, mocks: Self.mocks)
    if loggedIn { try await app.emit("login", "loggedIn", ["user": "ada"]) }
    return app
  }

  @Test("A parameter has the type of what it feeds, and its segment is decoded after splitting")
  func parameters() async throws {
    let app = try await app()
    try await app.type(":open item/7?tag=a%2Fb%20c")
    #expect(await app.path == "/home;user=ada/list/item;id=7;tag=a%2Fb%20c;size=1.5")
    #expect(await app.state["arguments"]?["tag"] == "a/b c")
    #expect(await app.nodes == ["home", "list", "item"])
    try await app.type(":open item/8")
    #expect(await app.path == "/home;user=ada/list/item;id=8;size=1.5")
    #expect(await app.instanceCount == 3)
  }

  @Test("A literal wins over a parameter")
  func literalWins() async throws {
    let app = try await app()
    try await app.type(":open item/new")
    #expect(await app.state["arguments"]?["tag"] == "new")
  }

  @Test(
    "A link that is none is refused with the reason, and changes nothing",
    arguments: [
      ("itme/7", "unknown-link", "did you mean 'item/{id}?tag={tag}'?"),
      ("nothing/of/it", "unknown-link", "there are 'item/{id}?tag={tag}', 'item/new', 'login'"),
      ("item", "missing-parameter", "the link 'item/{id}?tag={tag}' needs 'id'"),
      ("item/", "missing-parameter", "needs 'id'"),
      ("item/seven", "wrong-type", "'id' must be an integer, not 'seven'"),
      ("item/7?tga=x", "unknown-parameter", "did you mean 'tag'?"),
      ("item/7?tag=x&tag=y", "duplicate-parameter", "'tag' is given twice"),
      ("item/%G1", "bad-link", "'%G1'"),
      ("item/7#a", "bad-link", "'#' has no meaning"),
      ("/home;user=ada/lst", "bad-position", "at column 16, 'lst': there is no such node"),
      (
        "/home;user=ada/item;id=7", "bad-position",
        "'home' has no such tab; it has 'list', 'search'"
      ),
      ("/login//list", "bad-position", "at column 8, '': a node is missing between the slashes"),
      ("/!login", "bad-position", "the app's root can't be a modal"),
      ("/login/item", "bad-position", "'item' needs 'id'"),
      ("/login/item;id=x", "bad-position", "at column 13, 'id=x': 'id' must be an integer"),
      ("/login/item;id", "bad-position", "an argument is written 'name=value'"),
      ("/login/item;id=1;id=2", "bad-position", "the argument is given twice"),
      ("/login/item;idd=1", "bad-position", "did you mean 'id'?"),
      ("/login/item;id=%4", "bad-position", "two hexadecimal digits"),
      ("/login/list~item;id=1", "bad-position", "is not a container"),
      ("/login/…9 more…/list", "bad-position", "':path --full' prints it whole"),
      ("/login/vault;pin=…", "bad-position", "'pin' of 'vault' is secret"),
    ])
  func refused(link: String, code: String, reason: String) async throws {
    let app = try await app()
    let refusal = try await app.refusal(of: ":open \(link)")
    #expect(refusal.code == code)
    #expect(refusal.reason.contains(reason), "\(refusal.reason)")
    #expect(await app.path == "/home;user=ada/list")
  }

  @Test("A link that needs a node waits for it, and says so")
  func waits() async throws {
    let app = try await app(loggedIn: false)
    try await app.type(":open item/7")
    #expect(await app.path == "/login")
    try await app.emit("login", "loggedIn", ["user": "bob"])
    #expect(await app.path == "/home;user=bob/list/item;id=7;size=1.5")
  }

  @Test("A position holds every argument as it is, and reopens in a new app")
  func roundTrip() async throws {
    let app = try await app()
    let names: Value = ["a", "b;c/d=\"e\" ä"]
    try await app.emit(
      "list", "chosen", ["id": -1, "tag": "50%…", "names": names, "size": 2.0])
    let path = await app.path
    #expect(path.hasPrefix("/home;user=ada/list/!item;id=-1;tag=50%25%E2%80%A6;names=%5B%22a%22"))
    let other = try await self.app(loggedIn: false)
    try await other.type(":open \(path)")
    #expect(await other.path == path)
    #expect(await other.state == app.state)
    try await other.type(":expect-path \(path)", ":dismiss", ":tab search")
    #expect(await other.path == "/home;user=ada/search;text=ada")
  }

  @Test("A secret is left out, and the position says that it can't be reopened")
  func secret() async throws {
    let app = try await app()
    try await app.emit("list", "opened", ["pin": "1234"])
    let path = await app.path
    #expect(path == "/home;user=ada/list/vault;pin=…")
    #expect(try await app.refusal(of: ":open \(path)").reason.contains("can't be reopened"))
  }
}

/// A link that names a tab and not its container.
@Suite("A link to a tab by itself")
struct TabLinkTests {
  private func run(_ links: String, _ script: String) async throws -> Workbench.Outcome {
    let bench = try Workbench()
    let text = try Project.text("manifests/notes.yaml").components(separatedBy: "\nlinks:")[0]
    let path = try bench.write(text + "\nlinks:\n" + links + "\n", to: "notes.yaml")
    return try await bench.appcore(
      ["run", path, "--no-history", "--set", "folder=\(bench.folder)/notes"], input: script)
  }

  private let signIn = "@name ada\n@login\n"

  @Test("It opens in its container, beside the other tabs")
  func strip() async throws {
    let outcome = try await run(
      "  - { path: account, open: [account], needs: home }",
      signIn + ":open account\n:path --full\n")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("○ Notes   ● Account"))
    #expect(outcome.output.contains("/home;user=ada/account;user=ada"))
    let beyond = try await run(
      "  - { path: new, open: [notes, { push: editor, with: { user: ada } }], needs: home }",
      signIn + ":tab account\n:open new\n:path --full\n")
    #expect(beyond.output.contains("/home;user=ada/notes;user=ada/editor;user=ada"))
  }

  @Test("A missing argument of a tab's container is reported where the tab is named")
  func missing() async throws {
    let outcome = try await run("  - { path: account, open: [account] }", "")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains(":44:29: error: 'user' is missing for 'home'"), "\(outcome)")
    #expect(outcome.errors.contains("write 'needs: home' to take the living one"))
  }

  @Test("One that a route shows by itself too is pushed, as it is written")
  func elsewhere() async throws {
    let bench = try Workbench()
    let path = try bench.write(
      """
      appcore: 1
      plugins: [Dialogs]
      start: home
      nodes:
        home: { tabs: [first, second] }
        first: { feature: Dialogs.Confirm }
        second: { feature: Dialogs.Confirm }
      routes:
        - { from: any, action: confirmed, push: second }
        - { from: any, action: declined, do: ignore }
      links:
        - { path: second, open: [second] }

      """, to: "app.yaml")
    let outcome = try await bench.appcore(
      ["run", path, "--open", "second", "--no-history"], input: ":path --full\n")
    #expect(outcome.output.contains("\n/second\n"), "\(outcome)")
  }
}
