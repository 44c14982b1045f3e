internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import PluginHost
internal import Support

/// Completes command lines of `appcore`.
struct CommandLineCompletion {
  /// A completion of a word, with a description of it.
  struct Candidate: Hashable {
    let text: String
    let detail: String

    init(_ text: String, _ detail: String = "") {
      self.text = text
      // The output is one line per candidate, with a tab between text and detail.
      self.detail = detail.split { $0.isNewline || $0 == "\t" }.first.map(String.init) ?? ""
    }
  }

  private let tree: CommandTree?

  init(_ command: any ParsableCommand.Type) { tree = CommandTree(command) }

  /// The completions of the last word; the other words determine what it can be.
  func candidates(_ words: [String]) -> [Candidate] {
    guard var command = tree else { return [] }
    let typed = words.last ?? ""
    var positionals: [String] = []
    var pending: CommandTree.Argument?
    var hasEnded = false
    for word in words.dropLast() {
      if pending != nil {
        pending = nil
      } else if word == "--" {
        hasEnded = true
      } else if word.hasPrefix("-"), !hasEnded {
        let argument = command.argument(word)
        pending = argument?.kind == .option ? argument : nil
      } else if positionals.isEmpty, let next = command.subcommand(word) {
        command = next
      } else {
        positionals.append(word)
      }
    }
    let manifest = positionals.first
    let found: [Candidate]
    if let pending {
      found = values(of: pending, typed, manifest)
    } else if typed.hasPrefix("-"), !hasEnded {
      if let equals = typed.firstIndex(of: "="),
        let option = command.argument(String(typed[..<equals]))
      {
        let lead = typed[...equals]
        let value = String(typed[typed.index(after: equals)...])
        found = values(of: option, value, manifest).map { Candidate(lead + $0.text, $0.detail) }
      } else {
        found = options(of: command, before: words)
      }
    } else if positionals.isEmpty, !command.subcommands.isEmpty {
      found = command.subcommands.map { Candidate($0.name, $0.summary) }
    } else {
      let all = command.arguments.filter { $0.kind == .positional }
      let index = positionals.count
      let argument = index < all.count ? all[index] : all.last { $0.isRepeating }
      found = argument.map { values(of: $0, typed, manifest) } ?? []
    }
    var seen: Set<Candidate> = []
    return found.filter { $0.text.hasPrefix(typed) && seen.insert($0).inserted }
  }

  private func options(of command: CommandTree, before words: [String]) -> [Candidate] {
    command.arguments.flatMap { argument -> [Candidate] in
      guard argument.kind != .positional else { return [] }
      let isUsed = argument.names.contains { words.dropLast().contains($0) }
      guard !isUsed || argument.isRepeating else { return [] }
      return argument.names.filter { $0.hasPrefix("--") }
        .map { Candidate($0, argument.summary) }
    }
  }

  /// The completions of an argument's value: declared values, names in the manifest, and files.
  private func values(
    of argument: CommandTree.Argument, _ typed: String, _ manifest: String?
  ) -> [Candidate] {
    if !argument.values.isEmpty { return argument.values.map { Candidate($0) } }
    let names = manifest.map { ManifestNames(manifest: $0) }
    if argument.valueName == "plugin=file" {
      guard let equals = typed.firstIndex(of: "=") else {
        return (names?.plugins ?? []).map { Candidate($0.name + "=", $0.detail) }
      }
      let file = String(typed[typed.index(after: equals)...])
      return argument.files.map { FileCandidates.files(file, $0) }?
        .map { Candidate(typed[...equals] + $0.text) } ?? []
    }
    let known: [Candidate] =
      switch argument.valueName {
      case "link":
        // Up to the first parameter, whose value the person has to type.
        (names?.links ?? []).map {
          Candidate(String($0.name.prefix { $0 != "{" }), $0.name + "  " + $0.detail)
        }
      case "name=value": (names?.variables ?? []).map { Candidate($0.name, $0.detail) }
      case "code": RuleGroup.rules.map { Candidate($0.code, $0.summary) }
      default: []
      }
    return known + (argument.files.map { FileCandidates.files(typed, $0) } ?? [])
  }
}

/// Completes the paths of files and folders.
enum FileCandidates {
  /// The paths that begin with a word: folders, ending in `/`, and files of the wanted kind.
  static func files(
    _ typed: String, _ wanted: CommandTree.Argument.Files
  ) -> [CommandLineCompletion.Candidate] {
    let slash = typed.lastIndex(of: "/")
    let lead = slash.map { String(typed[...$0]) } ?? ""
    let start = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    var folder = lead.isEmpty ? "." : lead
    if folder.hasPrefix("~/"), let home = getenv("HOME") {
      folder = String(cString: home) + folder.dropFirst()
    }
    return (FilePath.names(in: folder) ?? []).filter { name in
      name.hasPrefix(start) && (start.hasPrefix(".") || !name.hasPrefix("."))
    }.sorted().compactMap { name in
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0 else { return nil }
      if status.st_mode & S_IFMT == S_IFDIR { return .init(lead + name + "/") }
      switch wanted {
      case .all: return .init(lead + name)
      case .folders: return nil
      case .ending(let endings):
        return endings.contains { name.hasSuffix($0) } ? .init(lead + name) : nil
      }
    }
  }
}
