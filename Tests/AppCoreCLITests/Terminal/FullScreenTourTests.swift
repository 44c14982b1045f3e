import Foundation
import TestSupport
import Testing

/// Each app that ships, used by keys alone.
@Suite("The apps that ship, used by keys", .ownThread) struct FullScreenTourTests {
  /// Keys, and what is seen once they have been typed.
  typealias Step = (keys: String, seen: String)

  struct Tour: CustomTestStringConvertible {
    let app: String
    let steps: [Step]
    var manifest: String { "manifests/\(app).yaml" }
    var testDescription: String { app }
  }

  private static let down = "\u{1b}[B"
  private static let (escape, nextPage) = ("\u{1b}", "\u{1b}[6~")
  private static let (tab, back) = ("\t", "\u{1b}[Z")
  private static let (secondTab, thirdTab, fourthTab) = ("\u{1b}2", "\u{1b}3", "\u{1b}4")

  private static let tours = [
    Tour(
      app: "packages",
      steps: [
        ("lib", "libgcc-s1"),
        ("\r", "[lib "),
        (tab + "2", "Version ▲"),
        ("2", "Version ▼"),
        (back, "› Filter"),
        (down + "/gcc", "find: gcc"),
        ("\r\r", "Packages › libgcc-s1"),
        ("/libc6\r\r", "Package › libc6"),
        ("/libgcc\r\r", "Package › Package › libgcc-s1"),
        (escape, "Package › libc6"),
        (escape, "Packages › libgcc-s1"),
        (escape, "[lib "),
        (back + "\r\u{15}\r", "busybox"),
        (down + "/busy\r\r", "Packages › busybox"),
        ("/libc6\r\r", "Package › libc6"),
        (nextPage, "Suggests"),
      ]),
    Tour(
      app: "packages",
      steps: [
        (down + "/busybox\r\r", "Packages › busybox"),
        ("\r", "Show the address"),
        (tab + "\r", "› [ Open homepage ]"),
        ("\r", "Show the address"),
        ("\r", "› [ Open homepage ]"),
      ]),
    Tour(
      app: "notes",
      steps: [
        ("ada\r", "[ada "),
        (down + "\r", "› [ New note ]"),
        ("\r", "Nothing to save yet"),
        ("Groceries\r- milk\r- eggs" + tab, "› Line"),
        ("- bread\r", "│ - bread"),
        (down + "\r", "Saved"),
        (escape, "Groceries  2"),
        ("/Errands\r\r", "│ - bank"),
        // The text itself, in its middle.
        ("\r\u{1b}[1;5H\u{1b}[B\u{1b}[F at noon", "│ - bank at noon"),
        ("\r- post", "│ - post"),
        (tab, "› Line"),
        ("- tailor\r", "│ - tailor"),
      ]),
    Tour(
      app: "notes",
      steps: [
        ("ada\r" + down + "\r", "› [ New note ]"),
        ("/Errands\r\r", "│ - bank"),
        (down + down + down + "\r", "Delete 'Errands'?"),
        ("\r", "There are no notes yet"),
        (secondTab, "› [ Log out ]"),
        ("\r", "Log out?"),
        ("\r", "Log in"),
        ("bob\r", "[bob "),
      ]),
    Tour(
      app: "casestudies",
      steps: [
        ("/Counter\r\r", "The count is 0"),
        (down + "\r\r", "The count is 2"),
        (escape, "Optional counter"),
        ("/Form\r\r", "› Form"),
        (escape, "Optional counter"),
        (thirdTab, "Routes"),
        ("/Routes\r\r", "Room"),
      ]),
    Tour(
      app: "casestudies",
      steps: [
        ("/Selecting\r\r", "› [ ] Bergen"),
        (" ", "› [x] Bergen"),
        (down + " ", "› [x] Molde"),
        (" ", "› [ ] Molde"),
        (tab + "\r", "Remove (disabled)"),
        (escape, "Optional counter"),
        ("/Columns\r\r", "Choose a city."),
        (down + down + "\r", "Inhabitants"),
      ]),
    Tour(
      app: "casestudies",
      steps: [
        (fourthTab, "Sign up"),
        ("/Sign up\r\r", "› Account"),
        ("ada@example.com\r", "[ada@example.com "),
        (down + "tea-time\r", "••"),
        (down + "\r", "› Topics"),
      ]),
  ]

  @Test("What keys did is a script that leads to the same state", arguments: tours)
  func tour(_ tour: Tour) async throws {
    let folder = try Self.folder()
    let terminal = try TypedTerminal(
      ["run", tour.manifest, "--full-screen"], environment: Self.environment(in: folder))
    try terminal.wait(for: "F1 help")
    for step in tour.steps {
      terminal.type(step.keys)
      try terminal.wait("\(step.seen) after \(step.keys.debugDescription)") {
        $0.text.contains(step.seen)
      }
    }
    terminal.type(":\u{15}:lines\r")
    try terminal.wait(":lines") { !$0.isAlternate && $0.line == ">" }
    // No line is wrapped or out of sight.
    terminal.resize(columns: 200, rows: 400)
    terminal.type(":log\r:path --full\r:state\r")
    try terminal.wait(":state") { $0.text.contains("> :state\n") && $0.line == ">" }
    let text = terminal.model.text
    terminal.leave(typing: ":quit\r")

    let script = text.split(separator: "\n").filter { $0.hasPrefix("line ") }
      .map { $0.dropFirst("line ".count).trimmingCharacters(in: .whitespaces) }
      .filter { $0 != ":lines" }
    let other = try Self.folder()
    let run = try await Program.appcore(
      ["run", tour.manifest, "-c", (script + [":path --full", ":state"]).joined(separator: "\n")],
      environment: Self.environment(in: other))
    #expect(run.status == 0, "\(script): \(run.errors)")
    let end = Self.end(of: text)
    #expect(end.count > 1, "\(text)")
    #expect(Self.end(of: run.output) == end, "\(script)")
  }

  /// A folder with a note of Ada's.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("notes/ada/6f1d1c9e-7c3b-4f0e-9a52-0d8f3b7e2a11.1.txt", "Errands\n- bank\n")
    return folder
  }

  private static func environment(in folder: TemporaryFolder) -> [String: String] {
    [
      "LANG": "C.UTF-8", "APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status",
      "APPCORE_NOTES_FOLDER": folder.url.appendingPathComponent("notes").path,
      "APPCORE_NOTES_SAVE_AFTER": "3600", "XDG_DATA_HOME": folder.url.path,
      "XDG_CONFIG_HOME": folder.url.path,
    ]
  }

  /// Where an app is at last, and its screen's state, without what differs from run to run.
  private static func end(of text: String) -> [String] {
    let lines = text.split(separator: "\n").map(String.init)
    guard let path = lines.last(where: { $0.hasPrefix("/") }),
      let first = lines.lastIndex(where: { $0.contains(#/^\w+ #\d+\.\d+ · /#) })
    else { return [] }
    let state = lines[first...].prefix { !$0.hasPrefix("──") && !$0.hasPrefix(">") }
    return [path] + state.map { $0.replacing(#/^[* ] | +← was.*/#, with: "") }
  }
}
