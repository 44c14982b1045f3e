@_spi(Host) internal import AppCore
internal import Shell
internal import Support

/// The manual pages in roff, generated from argument-parser's description of the commands.
///
/// There is one page for the program, `appcore.1`, and one for each visible command, such as
/// `appcore-run.1`.
struct ManualPages {
  /// The names and contents of the files, in the order in which the help lists the commands.
  let pages: [(name: String, text: String)]

  /// Makes the pages from the output of `--experimental-dump-help`.
  ///
  /// - Throws: `JSONReader.Failure` if it is not JSON.
  init(dump: String) throws {
    let root = Entry(try JSONReader.value(dump.utf8))["command"]
    let entries = Self.tree("appcore", root)
    let names = entries.map(\.name)
    pages = entries.map { name, command in
      (
        name: name + ".1",
        text: Self.page(
          name, command, commands: Self.commands(of: command),
          related: names.filter { $0 != name })
      )
    }
  }

  /// A command and all its subcommands at any depth, each with the name of its page.
  private static func tree(_ name: String, _ command: Entry) -> [(name: String, Entry)] {
    commands(of: command).reduce(into: [(name, command)]) { entries, next in
      entries += tree("\(name)-\(next.text("commandName"))", next)
    }
  }

  private static func commands(of command: Entry) -> [Entry] {
    command.list("subcommands").filter(\.isShown).filter { $0.text("commandName") != "help" }
  }

  private static func page(
    _ name: String, _ command: Entry, commands: [Entry], related: [String]
  ) -> String {
    var page = Roff()
    page.macro("TH", name.uppercased(), "1", "", "appcore \(SDK.version)", "appcore")
    page.section("NAME")
    page.text(name + " \u{2014} " + command.text("abstract"))
    page.section("SYNOPSIS")
    let words = name.split(separator: "-").joined(separator: " ")
    let arguments = command.list("arguments").filter(\.isShown)
    page.text(([words] + arguments.map(\.synopsis)).joined(separator: " "))
    if !commands.isEmpty { page.text(words + " <command> …") }
    if !commands.isEmpty {
      page.section("COMMANDS")
      for command in commands {
        page.item(command.text("commandName"), command.text("abstract"))
      }
    }
    page.section("OPTIONS")
    for argument in arguments { page.item(argument.heading, argument.text("abstract")) }
    let lines = command.text("discussion")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let examples = lines.firstIndex(of: "Examples:") ?? lines.endIndex
    if lines[..<examples].contains(where: { !$0.isEmpty }) {
      page.section("DESCRIPTION")
      for line in lines[..<examples] where !line.isEmpty {
        if line.hasPrefix(" ") { page.example([line]) } else { page.text(line) }
      }
    }
    if examples < lines.endIndex {
      page.section("EXAMPLES")
      page.example(lines[(examples + 1)...])
    }
    page.section("EXIT STATUS")
    for (status, meaning) in statuses { page.item(status, meaning) }
    page.section("ENVIRONMENT")
    for (name, meaning) in variables { page.item(name, meaning) }
    page.section("SEE ALSO")
    page.text(related.map { "\($0)(1)" }.joined(separator: ", "))
    return page.source
  }

  private static let statuses = [
    ("0", "All went well."),
    ("64", "The command line is wrong."),
    ("65", "The manifest, or a line of a script, is wrong."),
    ("66", "There is no such file."),
    ("69", "The only errors are plugins that can't be loaded."),
    ("70", "A fault of appcore's own."),
    ("73", "The file for a profile can't be written."),
    ("74", "Reading or writing failed."),
    ("128 + n", "Ended by signal n; 130 on an interrupt, 141 where nobody reads the output."),
  ]

  private static let variables = [
    ("APPCORE_PLUGIN_PATH", "Folders to search for plugins, parted by colons."),
    ("APPCORE_PLAIN", "Linear text instead of drawing, unless empty or 0."),
    ("NO_COLOR", "No colours, unless empty."),
    ("CLICOLOR_FORCE", "Colours in pipes too, unless empty or 0."),
    ("COLUMNS", "The width where the output is not a terminal."),
  ]
}

// Fields of an argument or a command in argument-parser's description.
extension Entry {
  private func isTrue(_ name: String) -> Bool { value[name] == .bool(true) }

  fileprivate var isShown: Bool { value["shouldDisplay"] != .bool(false) }

  private var isPositional: Bool { text("kind") == "positional" }

  private var names: [String] {
    list("names").map { ($0.text("kind") == "short" ? "-" : "--") + $0.text("name") }
  }

  private var valueText: String {
    text("kind") == "flag" ? "" : "<" + text("valueName") + ">"
  }

  /// The argument as in the synopsis: `[--json]`, `<manifest>`.
  fileprivate var synopsis: String {
    let name = isPositional ? "" : names.last ?? ""
    let text = [name, valueText].filter { !$0.isEmpty }.joined(separator: " ")
    let repeated = isTrue("isRepeating") ? text + " …" : text
    return isTrue("isOptional") ? "[" + repeated + "]" : repeated
  }

  /// The argument as the head of its description: `-c, --lines <lines>`.
  fileprivate var heading: String {
    let names = isPositional ? [] : [self.names.joined(separator: ", ")]
    return (names + [valueText]).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
