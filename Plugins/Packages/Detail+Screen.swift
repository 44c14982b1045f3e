internal import AppCore

extension Detail {
  func screen(_ state: State) -> Screen<Action> {
    Screen(state.name) { screen in
      switch state.loading {
      case .reading(let fraction):
        screen.progress("Reading \(library.path)", fraction: fraction)
      case .failed(let reason):
        screen.text(reason, style: .error)
      case .ready:
        guard let database = library.database else { return }
        if let package = database.package(named: state.name) {
          show(package, state, &screen)
        } else {
          showMissing(state.name, database, &screen)
        }
      }
    }
  }

  private func show(
    _ package: Package, _ state: State, _ screen: inout ScreenBuilder<Action>
  ) {
    screen.text(package.summary)
    if !package.isInstalled {
      screen.text("Not installed (\(package.state.word)).", style: .warning)
    }
    screen.keyValues(facts(package))
    if let url = package.homepage {
      screen.button("Open homepage", id: "homepage", action: .homepageTapped(url: url))
      if state.showsAddress {
        screen.text("The homepage's address, ready to copy:", style: .success)
        screen.preformatted(url)
      }
    }
    for paragraph in package.description.paragraphs {
      switch paragraph {
      case .text(let text): screen.text(text)
      case .verbatim(let lines): screen.preformatted(lines.joined(separator: "\n"))
      }
    }
    for group in Self.groups {
      let rows = rows(package, group.kinds, id: group.id)
      guard !rows.isEmpty else { continue }
      screen.section("\(group.title) (\(rows.count))") { section in
        section.list(rows, id: group.id) { $0.row }
      }
    }
    showDependents(package, &screen)
  }

  private func facts(_ package: Package) -> [KeyValue] {
    var facts: [KeyValue] = []
    func add(_ key: String, _ value: String?) {
      if let value, !value.isEmpty { facts.append(KeyValue(key, value)) }
    }
    add("Version", package.version)
    add("Section", package.section)
    add("Priority", package.priority)
    add("Architecture", package.architecture)
    add("Installed size", package.installedSize.map(Self.size))
    add("Source", package.source == package.name ? nil : package.source)
    add("Maintainer", package.maintainer)
    add("Homepage", package.homepage)
    return facts
  }

  /// A size given in KiB, as text in KiB or MiB.
  private static func size(_ kibibytes: Int) -> String {
    guard kibibytes >= 1024 else { return "\(kibibytes) KiB" }
    let tenths = kibibytes / 1024 * 10 + kibibytes % 1024 * 10 / 1024
    return "\(tenths / 10).\(tenths % 10) MiB"
  }

  private static let groups: [(title: String, id: String, kinds: [Dependency.Kind])] = [
    ("Depends on", "depends", [.preDepends, .depends]),
    ("Recommends", "recommends", [.recommends]),
    ("Suggests", "suggests", [.suggests]),
  ]

  /// A row for one alternative of a dependency, or for a malformed clause.
  private struct DependencyRow {
    let label: String
    let detail: String
    let id: String?
    var row: Row<Action> {
      Row(
        label, detail: detail.isEmpty ? nil : detail, id: id,
        action: id.map { _ in .dependencyTapped(name: label) })
    }
  }

  private func rows(
    _ package: Package, _ kinds: [Dependency.Kind], id group: String
  ) -> [DependencyRow] {
    var used: [String: Int] = [:]
    return kinds.flatMap { package.dependencies($0) }.flatMap { dependency in
      dependency.alternatives.enumerated().map { position, alternative in
        if let text = alternative.malformedText {
          return DependencyRow(label: text, detail: "can't be read", id: nil)
        }
        // A package may be named twice, with a lower and an upper bound of its version.
        used[alternative.name, default: 0] += 1
        let count = used[alternative.name] ?? 1
        let id = "\(group).\(alternative.name)" + (count > 1 ? ".\(count)" : "")
        return DependencyRow(
          label: alternative.name,
          detail: detail(alternative, of: package, isFirst: position == 0), id: id)
      }
    }
  }

  private func detail(
    _ alternative: Alternative, of package: Package, isFirst: Bool
  ) -> String {
    var parts: [String] = []
    if !isFirst { parts.append("or instead") }
    if let constraint = alternative.constraint { parts.append("\(constraint)") }
    if let satisfier = package.satisfier(of: alternative) {
      if satisfier.name != alternative.name { parts.append("provided by \(satisfier.label)") }
    } else {
      parts.append("not installed")
    }
    return parts.joined(separator: ", ")
  }

  private func showDependents(_ package: Package, _ screen: inout ScreenBuilder<Action>) {
    for (title, need, id) in [
      ("Needed by", .required, "neededBy"), ("Wanted by", .wanted, "wantedBy"),
    ]
      as [(String, Package.Need, String)]
    {
      let dependents = package.dependents(need)
      guard !dependents.isEmpty else { continue }
      screen.section("\(title) (\(dependents.count))") { section in
        section.list(dependents, id: id) { index in
          guard let dependent = package.database.package(at: index) else { return Row("") }
          let name = dependent.label
          return Row(
            name, detail: dependent.isInstalled ? dependent.summary : dependent.state.word,
            id: "\(id).\(name)", action: .dependencyTapped(name: name))
        }
      }
    }
  }

  private func showMissing(
    _ name: String, _ database: PackageDatabase, _ screen: inout ScreenBuilder<Action>
  ) {
    let providers = database.providers(of: name)
    guard !providers.isEmpty else {
      screen.text("'\(name)' is not installed, and nothing installed provides it.", style: .warning)
      return
    }
    screen.text("'\(name)' is a virtual package: others provide it.", style: .secondary)
    screen.section("Provided by (\(providers.count))") { section in
      section.list(providers, id: "providers") { provider in
        let label = provider.label
        return Row(
          label, detail: provider.summary, id: "providers.\(label)",
          action: .dependencyTapped(name: label))
      }
    }
  }
}
