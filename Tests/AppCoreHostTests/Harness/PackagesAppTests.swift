internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import Testing

/// The app that ships, with its real plugins, on a small database.
@Suite("The packages app")
struct PackagesAppTests {
  func app() async throws -> AppHarness {
    try await AppHarness(
      manifest: Project.path("manifests/packages.yaml"), options: Project.smallDatabase)
  }

  @Test("It begins with all packages, removed ones marked")
  func list() async throws {
    let app = try await app()
    #expect(await app.path == "/list")
    let screen = await app.screen
    #expect(screen.title == "Packages")
    #expect(
      screen.controls.filter { $0.kind == "row" }.map(\.label).sorted() == [
        "base-files", "gcc-12-base", "libc6", "libgcc-s1", "mawk", "old-editor",
      ])
    #expect(screen.lines.contains { $0.contains("old-editor") && $0.contains("config-files") })
  }

  @Test("A filter narrows the list, and an empty one brings it back")
  func filter() async throws {
    let app = try await app()
    try await app.type("@filter libc")
    #expect(await app.screen.control("filter")?.value == "libc")
    #expect(await app.screen.controls.filter { $0.kind == "row" }.map(\.label) == ["libc6"])
    #expect(await app.state["filter"] == "libc")
    try await app.type("@filter nothing-has-this-name")
    #expect(await app.screen.text.contains("No package matches 'nothing-has-this-name'."))
    try await app.type("@filter \"\"")
    #expect(await app.screen.controls.filter { $0.kind == "row" }.count == 6)
  }

  @Test("Dependencies lead round in a circle, each time one level deeper, and back again")
  func circle() async throws {
    let app = try await app()
    try await app.type("@libc6")
    #expect(await app.screen.text.contains("GNU C Library"))
    for round in 1...3 {
      try await app.type("@depends.libgcc-s1")
      #expect(await app.screen.title == "libgcc-s1")
      try await app.type("@depends.libc6")
      #expect(await app.screen.title == "libc6")
      #expect(await app.depth == 2 + 2 * round)
    }
    let hop = "/detail;name=libgcc-s1/detail;name=libc6"
    #expect(await app.path == "/list/detail;name=libc6\(hop)\(hop)\(hop)")
    for _ in 1...7 { try await app.type(":back") }
    #expect(await app.path == "/list")
    #expect(try await app.refusal(of: ":back").code == "at-root")
  }

  @Test("Who needs a package is shown with it, and leads there")
  func dependents() async throws {
    let app = try await app()
    try await app.type("@libc6", "@neededBy.mawk")
    #expect(await app.path == "/list/detail;name=libc6/detail;name=mawk")
  }

  @Test("A virtual package shows who provides it")
  func virtual() async throws {
    let app = try await app()
    try await app.type("@base-files", "@depends.awk")
    #expect(await app.screen.text.contains("'awk' is a virtual package"))
    try await app.type("@providers.mawk")
    #expect(await app.path == "/list/detail;name=base-files/detail;name=awk/detail;name=mawk")
  }

  @Test("A package that is nowhere is said not to be installed")
  func missing() async throws {
    let app = try await app()
    try await app.type("@libc6", "@suggests.glibc-doc")
    #expect(await app.screen.text.contains("'glibc-doc' is not installed"))
  }

  @Test("A removed package says so")
  func removed() async throws {
    let app = try await app()
    try await app.type("@old-editor")
    #expect(await app.screen.text.contains("Not installed (config-files)."))
  }

  @Test(
    "The dialog's answer comes back to the package that asked",
    arguments: [
      ("@yes", "confirmed", true), ("@no", "declined", false), (":back", "declined", false),
    ])
  func dialog(line: String, delegate: String, isShown: Bool) async throws {
    let app = try await app()
    try await app.type("@libc6", "@homepage")
    #expect(await app.screen.isModal)
    #expect(
      await app.screen.text.contains(
        "Show the address https://www.gnu.org/software/libc/libc.html?"))
    #expect(await app.nodes == ["list", "detail", "confirmOpen"])
    try await app.type(line)
    #expect(await app.path == "/list/detail;name=libc6")
    #expect(await app.delegates.last == EmittedDelegate(node: "confirmOpen", action: delegate))
    #expect(await app.state["showsAddress"] == .bool(isShown))
    #expect(await app.screen.text.contains("ready to copy") == isShown)
    try await app.type(":back")
    #expect(await app.path == "/list")
  }

  @Test("A database that can't be read is reported on the screen, and read when it is there")
  func unreadable() async throws {
    let bench = try Workbench()
    var options = bench.options
    options.settings["status"] = bench.folder + "/status"
    let app = try await AppHarness(
      manifest: Project.path("manifests/packages.yaml"), options: options)
    #expect(await app.screen.text.contains("no such file"))
    try bench.write(try Project.text("Tests/Fixtures/dpkg/status"), to: "status")
    try await app.type("@retry")
    #expect(await app.screen.text.contains("5 installed of 6 known"))
  }
}
