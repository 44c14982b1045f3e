internal import AppCore
internal import ArgumentParser
internal import Shell
internal import Support

/// A command with its arguments and subcommands.
///
/// It is read from argument-parser's own description of the command, from which its help is made as
/// well.
struct CommandTree {
  /// A positional argument, an option or a flag of a command.
  struct Argument {
    enum Kind: String { case positional, option, flag }
    /// Which files complete a value.
    enum Files { case all, folders, ending([String]) }

    let kind: Kind
    /// The names, with their dashes.
    let names: [String]
    let valueName: String
    let summary: String
    /// The allowed values; empty if they are not a fixed list.
    let values: [String]
    let isRepeating: Bool
    /// The files that complete its value; `nil` if the value is not a file.
    let files: Files?
  }

  let name: String
  let summary: String
  let arguments: [Argument]
  let subcommands: [CommandTree]

  /// Reads the description of a command and its subcommands; `nil` if it can't be parsed.
  init?(_ command: any ParsableCommand.Type) {
    guard let dump = try? Value(json: command._dumpHelp()), let root = dump["command"] else {
      return nil
    }
    self.init(root)
  }

  private init(_ value: Value) {
    name = value["commandName"]?.text ?? ""
    summary = value["abstract"]?.text ?? ""
    arguments = (value["arguments"]?.elements ?? [])
      .filter { $0["shouldDisplay"] == .bool(true) }.compactMap(Argument.init)
    subcommands = (value["subcommands"]?.elements ?? [])
      .filter { $0["shouldDisplay"] == .bool(true) }.map { CommandTree($0) }
  }

  /// The subcommand with this name.
  func subcommand(_ name: String) -> CommandTree? { subcommands.first { $0.name == name } }

  /// The option or flag with this name, which includes the dashes.
  func argument(_ name: String) -> Argument? { arguments.first { $0.names.contains(name) } }
}

extension CommandTree.Argument {
  fileprivate init?(_ value: Value) {
    guard let kind = value["kind"]?.text.flatMap(Kind.init) else { return nil }
    self.kind = kind
    names = (value["names"]?.elements ?? []).compactMap { name in
      guard let text = name["name"]?.text else { return nil }
      return name["kind"]?.text == "long" ? "--" + text : "-" + text
    }
    valueName = value["valueName"]?.text ?? ""
    summary = value["abstract"]?.text ?? ""
    values = (value["allValues"]?.elements ?? []).compactMap(\.text)
    isRepeating = value["isRepeating"] == .bool(true)
    files = value["completionKind"].flatMap(Files.init)
  }
}

extension CommandTree.Argument.Files {
  /// Reads argument-parser's description of an option's completion.
  fileprivate init?(_ value: Value) {
    if value["directory"] != nil {
      self = .folders
    } else if let file = value["file"] {
      let endings = (file["extensions"]?.elements ?? []).compactMap(\.text)
      self = endings.isEmpty ? .all : .ending(endings.map { "." + $0 })
    } else {
      return nil
    }
  }
}

extension Value {
  fileprivate subscript(name: String) -> Value? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var elements: [Value] { if case .array(let values) = self { values } else { [] } }
}
