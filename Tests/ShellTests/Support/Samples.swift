@_spi(Host) import AppCore
import Foundation
internal import Support
import Testing

@testable import Shell

/// The action of every screen in these tests.
enum SampleAction: FeatureAction {
  enum View: Codable, Sendable {
    case tapped(String)
    case number(Double)
    case flag(Bool)
    case secret(Secret<String>)
  }
  case view(View)
}

func screen(
  _ title: String = "Sample", owner: String = "1", chrome: Chrome = Chrome(),
  build: (inout ScreenBuilder<SampleAction>) -> Void
) -> ShellScreen {
  ShellScreen(
    Screen<SampleAction>(title, build: build).content, owner: owner, chrome: chrome)
}

/// Counts how many rows are made.
final class RowCounter {
  var count = 0
}

extension ScreenBuilder where Action == SampleAction {
  mutating func rows(
    _ range: Range<Int>, id: String? = nil, hasIDs: Bool = true, counter: RowCounter? = nil
  ) {
    list(range, id: id) { index in
      counter?.count += 1
      return Row(
        "Row \(index)", id: hasIDs ? "row-\(index)" : nil, action: .tapped("\(index)"))
    }
  }
}

enum Samples {
  /// A screen with a field that filters a table, which can be sorted.
  static func products(
    filter: String = "", sort: TableSort? = nil, columns: [String] = ["Name", "Version", "Uses"]
  ) -> ShellScreen {
    screen("Products") { screen in
      screen.field("Filter", id: "filter", text: filter, placeholder: "all", isLive: true) {
        .tapped($0)
      }
      screen.table(
        [("swift-nio", "2.65.0", 1204), ("swift-syntax", "600.0.1", 88), ("絵文字👩‍👩‍👧", "1.0", 7)],
        columns: columns.map { TableColumn($0, alignment: $0 == "Uses" ? .trailing : .leading) },
        id: "products", sort: sort,
        sortAction: { .tapped("\($0.column) \($0.isDescending)") }
      ) { row in
        Row(cells: [row.0, row.1, String(row.2)], id: row.0, action: .tapped(row.0))
      }
    }
  }

  /// A list whose rows can be selected, but for the last one, which has no identifier.
  static func filesScreen(
    id: String = "files", ids: [String] = ["a", "b", "two words"], selection: Set<String> = []
  ) -> Screen<SampleAction> {
    Screen("Files") { screen in
      screen.list(
        ids + ["no identifier"], id: id, selection: selection,
        selectionAction: { .tapped($0.sorted().joined(separator: " ")) }
      ) { Row($0, id: ids.contains($0) ? $0 : nil, action: .tapped($0)) }
    }
  }

  static func files(
    id: String = "files", ids: [String] = ["a", "b", "two words"], selection: Set<String> = []
  ) -> ShellScreen {
    ShellScreen(filesScreen(id: id, ids: ids, selection: selection).content, owner: "1")
  }

  /// Three columns: a list, buttons between texts, and a section with a field.
  static var columns: ShellScreen {
    screen("Columns") { screen in
      screen.text("Above")
      screen.columns { columns in
        columns.column { $0.rows(0..<5, id: "rows") }
        columns.column { screen in
          screen.preformatted(String(repeating: "日本", count: 80))
          screen.button("One", id: "one", action: .tapped("one"))
          screen.button("Two", id: "two", action: .tapped("two"))
        }
        columns.column { screen in
          screen.section("Detail") { screen in
            screen.field("Name", id: "name", text: "Ada", action: { .tapped($0) })
            screen.keyValues([KeyValue("Owner", "Mara Lind")])
          }
        }
      }
      screen.button("Below", id: "below", action: .tapped("below"))
    }
  }

  static let options = [
    ChoiceOption("name", label: "Name"), ChoiceOption("size", label: "Size"),
    ChoiceOption("date", label: "Date changed"),
  ]

  /// A screen with everything that a screen can show.
  static var everything: ShellScreen {
    let chrome = Chrome(
      path: ["home", "packages", "detail"],
      tabs: [Tab("packages", title: "Packages", isSelected: true), Tab("alerts", title: "Alerts")],
      notices: [
        Notice("The route 'saved' was refused: 'editor' is not in front.", code: "not-current")
      ])
    return screen("Package details", chrome: chrome) { screen in
      screen.text(
        "A package is a folder with a manifest. It may hold several products, and each of them "
          + "may depend on products of other packages.")
      screen.text("Checked a minute ago", style: .secondary)
      screen.text("All 12 products build", style: .success)
      screen.text("Two products are deprecated", style: .warning)
      screen.text("One product does not link", style: .error)
      screen.heading("Filter")
      screen.field(
        "Name", id: "name", text: "", placeholder: "type to filter", action: { .tapped($0) })
      screen.field(
        "Version", id: "version", text: "1.2.x", problem: "no such version",
        action: { .tapped($0) })
      screen.field(
        "Notes", id: "notes", text: "first line\nsecond line", isMultiline: true,
        action: { .tapped($0) })
      screen.secretField("Token", id: "token", isSet: true, action: { .secret($0) })
      screen.secretField("Password", id: "password", isSet: false, action: { .secret($0) })
      screen.numberField("Limit", id: "limit", value: 25, action: { .number($0) })
      screen.toggle("Only direct ones", id: "direct", isOn: true, action: { .flag($0) })
      screen.toggle(
        "Show hidden", id: "hidden", isOn: false, problem: "not with only direct ones",
        action: { .flag($0) })
      screen.choice(
        "Sort", id: "sort", options: options, selected: "size", action: { .tapped($0) })
      screen.button("Refresh", id: "refresh", action: .tapped("refresh"))
      screen.button("Delete", id: "delete", isEnabled: false, action: .tapped("delete"))
      screen.section("Products") { screen in
        screen.keyValues([
          KeyValue("Owner", "Mara Lind"), KeyValue("Licence", "Apache-2.0"),
          KeyValue("名前", "日本語のとても長いテキストで、折り返しが必要になるものです。"),
          KeyValue("Description", "Parses what it is given and nothing that it isn't given."),
        ])
        screen.table(
          [("swift-nio", "2.65.0", 1204), ("swift-syntax", "600.0.1", 88), ("絵文字👩‍👩‍👧", "1.0", 7)],
          columns: [
            TableColumn("Name"), TableColumn("Version"), TableColumn("Uses", alignment: .trailing),
          ], id: "products"
        ) { row in
          Row(cells: [row.0, row.1, String(row.2)], id: row.0, action: .tapped(row.0))
        }
      }
      screen.progress("Reading", fraction: 0.45)
      screen.progress("Waiting for the network")
      screen.sparkline("Requests", values: [3, 7.5, 4, 12, 9, .nan, 15], unit: "/s")
      screen.bars(
        [Bar("swift", 812), Bar("c", 120.25), Bar("assembly", 3), Bar("none", 0)], unit: "files")
      screen.preformatted("let answer = 42\n\tprint(answer)")
      screen.divider()
      screen.list(0..<431, id: "files") { index in
        Row(
          "file-\(index).swift", detail: "\(index * 37) bytes", id: "file-\(index)",
          action: .tapped("\(index)"))
      }
    }
  }
}

extension ShellSession {
  mutating func interpret(
    _ text: String, on screen: ShellScreen, seenScreen: Int? = nil
  ) -> Intent {
    interpret(Array(text.utf8), on: screen, seenScreen: seenScreen)
  }

  /// A session that has just shown `screen`.
  static func showing(
    _ screen: ShellScreen, _ settings: SessionSettings = SessionSettings()
  ) -> ShellSession {
    var session = ShellSession(settings)
    _ = session.frame(screen)
    return session
  }

  static let terminal = SessionSettings(isInteractive: true)
  static let json = SessionSettings(format: .json)
}

extension Intent {
  /// The code of the rejection; `nil` if the line was not rejected.
  var code: String? { if case .refused(let refusal) = self { refusal.code } else { nil } }

  /// The message of the rejection; `nil` if the line was not rejected.
  var text: String? { if case .refused(let refusal) = self { refusal.message } else { nil } }

  var activation: Activation? {
    if case .activate(let activation) = self { activation } else { nil }
  }

  var input: ControlInput? { activation?.input }
  var control: String? { activation?.label }
}

/// Compares text with a file in `Golden`; `RECORD=1` writes it, a missing one fails.
func expectGolden(
  _ name: String, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Golden/\(name).txt")
  let text = lines.joined(separator: "\n") + "\n"
  if ProcessInfo.processInfo.environment["RECORD"] == "1" {
    try text.write(to: file, atomically: true, encoding: .utf8)
    return
  }
  let golden = try? String(contentsOf: file, encoding: .utf8)
  #expect(text == golden, "differs from Golden/\(name).txt", sourceLocation: sourceLocation)
}
