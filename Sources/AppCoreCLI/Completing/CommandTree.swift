internal import AppCore
internal import ArgumentParser
internal import Shell
internal import Support

/// What a command takes, read from argument-parser's own description of it: one source for help and
/// completion.
struct CommandTree {
  /// Something that is written on the command line.
  struct Argument {
    enum Kind: String { case positional, option, flag }
    /// What files complete a value.
    enum Files { case all, folders, ending([String]) }

    let kind: Kind
    /// With their dashes.
    let names: [String]
    let valueName: String
    let summary: String
    /// The values that it takes, where they are known.
    let values: [String]
    let isRepeating: Bool
    /// The files that its value may be, as the option declares; `nil` for none.
    let files: Files?
  }

  let name: String
  let summary: String
  let arguments: [Argument]
  let subcommands: [CommandTree]

  /// Reads the description of a command and of those below it; `nil` should it not be readable.
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

  /// The subcommand of a name.
  func subcommand(_ name: String) -> CommandTree? { subcommands.first { $0.name == name } }

  /// The option or flag of a name.
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
