internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Support

extension CheckCommand {
  /// Prints whether each instance of a saved session can be restored with a manifest.
  ///
  /// - Throws: exit status 65 if the session can't be read, 66 if there is none, after printing
  ///   why.
  func printPlan(of file: String, under report: ManifestReport) throws {
    guard let app = report.appName else { return }
    let found: SavedSession?
    do throws(SessionError) {
      found = try SavedSession.read(file, app: app)
    } catch {
      let reason = SafeText.line(error.reason)
      Console.printError(
        "appcore: can't check the session in \(SafeText.line(shellWord(file))): \(reason)")
      throw ExitCode(65)
    }
    guard let session = found, let plan = report.plan(for: session.image) else {
      Console.printError(
        "appcore: there is no session in \(SafeText.line(shellWord(file))); name a file that holds one"
      )
      throw ExitCode(66)
    }
    if isJSON || format == .json {
      Console.print(plan.json(file).text, terminator: "", as: .json)
    } else {
      let title = SafeText.line("\(file): \(session.summary)")
      Console.print(([title] + plan.lines).joined(separator: "\n"))
    }
  }
}

extension SessionPlan {
  /// One line for each instance: whether it is kept, migrated, recreated or dropped.
  fileprivate var lines: [String] {
    let width = entries.map { DisplayWidth.of($0.node) }.max() ?? 0
    let rows = entries.map { entry in
      let padding = String(repeating: " ", count: width - DisplayWidth.of(entry.node) + 2)
      let name = entry.newNode.flatMap { $0 == entry.node ? nil : ", as '\($0)'" } ?? ""
      let words =
        switch entry.fate {
        case .kept: "kept" + name
        case .migrated(let version): "migrated from \(version)" + name
        case .madeAnew(let reason): "made anew\(name): \(reason)"
        case .dropped(let reason): "dropped: \(reason)"
        }
      return SafeText.line("  \(entry.node)\(padding)\(words)")
    }
    return rows + (startsAnew ? ["  The app begins at its start."] : [])
  }

  fileprivate func json(_ file: String) -> JSONTree {
    let instances = entries.map { entry -> JSONTree in
      var tree: JSONTree = ["node": .string(entry.node)]
      if let name = entry.newNode { tree = tree.adding([("newNode", .string(name))]) }
      switch entry.fate {
      case .kept: return tree.adding([("fate", "kept")])
      case .migrated(let version):
        return tree.adding([("fate", "migrated"), ("from", .string(version))])
      case .madeAnew(let reason):
        return tree.adding([("fate", "made anew"), ("reason", .string(reason))])
      case .dropped(let reason):
        return tree.adding([("fate", "dropped"), ("reason", .string(reason))])
      }
    }
    return [
      "session": .string(file), "startsAnew": .bool(startsAnew), "instances": .array(instances),
    ]
  }
}
