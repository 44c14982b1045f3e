internal import Support

/// Gives variables their values, and reports unused ones.
struct VariableCheck {
  let options: ManifestLoader.Options

  /// Takes values from `--set` and the environment, and reports unknown, unset and unused names.
  func run(on draft: inout Draft, firstFileStart: SourceRange) {
    let names = draft.manifest.variables.map(\.name.value)
    let known = Set(names)
    for (name, _) in options.settings.sorted(by: { $0.key < $1.key })
    where !known.contains(name) && !draft.isIncomplete && !draft.hasUnreadVariables {
      let nearest = draft.suggestions.nearest(to: name, among: names)
      draft.problems.append(
        Diagnostic(
          .unknownSetting(name, nearest: nearest, allowed: names),
          at: draft.variablesKey ?? firstFileStart))
    }
    var used: Set<String> = []
    var unknown: Set<String> = []
    var places: [String: [SourceRange]] = [:]
    for use in draft.variableUses where !known.contains(use.value) {
      places[use.value, default: []].append(use.range)
    }
    for use in draft.variableUses {
      draft.counter.count()
      used.insert(use.value)
      guard !known.contains(use.value), unknown.insert(use.value).inserted, !draft.isIncomplete,
        !draft.hasUnreadVariables
      else { continue }
      let nearest = draft.suggestions.nearest(to: use.value, among: names)
      draft.problems.append(
        Diagnostic(
          .unknownVariable(use.value, nearest: nearest, allowed: names), at: use.range,
          alsoAt: Array(places[use.value, default: []].dropFirst())))
      // The variable that was probably meant is not reported as unused.
      if let nearest { used.insert(nearest.name) }
    }
    let variables = draft.manifest.variables.map { variable in
      draft.counter.count()
      let variable = valued(variable, &draft)
      let name = variable.name
      if variable.value == nil, !options.allowsUnsetVariables {
        draft.problems.append(
          Diagnostic(
            .unsetVariable(name.value, environment: variable.environment?.value), at: name.range))
      }
      if !used.contains(name.value), !draft.isIncomplete, !draft.mayRefer(to: name.value) {
        draft.problems.append(Diagnostic(.unusedVariable(name.value), at: name.range))
      }
      return variable
    }
    draft.manifest.variables = variables
  }

  private var folders: AppFolders {
    AppFolders(options.environment, isNeeded: !options.allowsUnsetVariables)
  }

  private func valued(
    _ variable: Manifest.Variable, _ draft: inout Draft
  ) -> Manifest.Variable {
    func given(_ text: String, _ origin: Manifest.Variable.Origin) -> Manifest.Variable {
      let scalar = Scalar(text: text, style: .given)
      return Manifest.Variable(
        name: variable.name, environment: variable.environment,
        value: Manifest.Expression(.scalar(scalar), at: variable.name.range), origin: origin)
    }
    if let text = options.settings[variable.name.value] {
      guard let path = folders.expanded(text) else {
        draft.problems.append(Diagnostic(.noFolder("~"), at: variable.name.range))
        return given(text, .setting)
      }
      return given(path, .setting)
    }
    if let text = options.formerValues[variable.name.value] { return given(text, .setting) }
    if let text = variable.environment.flatMap({ options.environment($0.value) }) {
      return given(text, .environment)
    }
    return variable
  }
}
