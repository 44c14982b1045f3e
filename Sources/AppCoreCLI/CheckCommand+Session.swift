internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Support

extension CheckCommand {
  /// Prints whether each instance of a saved session can be restored with a manifest.
  ///
  /// The session is restored in another process, as a start with the manifest would.
  ///
  /// - Throws: exit status 65 if the session can't be read or something of it is lost, 66 if there is
  ///   none, 75 if what becomes of it can't be known, after printing why.
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
    guard let session = found, let expected = report.plan(for: session.image) else {
      Console.printError(
        "appcore: there is no session in \(SafeText.line(shellWord(file))); name a file that holds one"
      )
      throw ExitCode(66)
    }
    let plan = SessionTrial(
      manifest: report.path, session: file, options: options.arguments,
      environment: ProcessVariables.all
    ).run(expected)
    if session.unreadByteCount > 0 {
      Console.printError(
        "appcore: the end of the session in \(SafeText.line(shellWord(file))) is damaged, and what it "
          + "showed last may be lost")
    }
    if isJSON || format == .json {
      Console.print(plan.json(file).text, terminator: "", as: .json)
    } else {
      let title = SafeText.line("\(file): \(session.summary)")
      Console.print(([title] + plan.lines).joined(separator: "\n"))
    }
    if plan.exitStatus != 0 { throw ExitCode(plan.exitStatus) }
  }
}

extension SessionPlan {
  /// One line for each instance: whether it is kept, migrated, recreated or dropped.
  fileprivate var lines: [String] {
    let width = entries.map { DisplayWidth.of($0.node) }.max() ?? 0
    let rows = entries.map { entry in
      let padding = String(repeating: " ", count: width - DisplayWidth.of(entry.node) + 2)
      let name = entry.newNode.flatMap { $0 == entry.node ? nil : $0 }
      return SafeText.line("  \(entry.node)\(padding)\(entry.outcome.line(newName: name))")
    }
    return rows + (startsAnew ? ["  The app begins at its start."] : [])
  }

  fileprivate func json(_ file: String) -> JSONTree {
    let instances = entries.map { entry -> JSONTree in
      var tree: JSONTree = ["node": .string(entry.node)]
      if let name = entry.newNode { tree = tree.adding([("newNode", .string(name))]) }
      let (word, detail) = entry.outcome.words
      tree = tree.adding([("fate", .string(word))])
      let key = if case .migrated = entry.outcome { "from" } else { "reason" }
      return detail.map { tree.adding([(key, .string($0))]) } ?? tree
    }
    return [
      "session": .string(file), "startsAnew": .bool(startsAnew), "instances": .array(instances),
    ]
  }
}
