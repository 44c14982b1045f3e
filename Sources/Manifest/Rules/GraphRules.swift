package import Support

// Rules about names and references.
extension Rule {
  package static let duplicateNode = Rule(
    "duplicate-node", .error,
    means: "Two nodes have the same name, perhaps in two files.",
    remedy: "Rename or remove one of them.")

  package static let formerName = Rule(
    "former-name", .error,
    means: "`was` gives a name that does not say which node is meant: that of a node there is, or "
      + "one that another node had, too.",
    remedy: "Name what only this node was called; leave `was` out if its name has not changed.")

  package static let duplicateRoute = Rule(
    "duplicate-route", .error,
    means: "Two routes handle the same action of the same node.",
    remedy: "Remove one of them, or combine them in a list under `do`.")

  package static let duplicateLink = Rule(
    "duplicate-link", .error,
    means: "Two links have the same path.",
    remedy: "Remove one of them.")

  package static let conflictingPlugin = Rule(
    "conflicting-plugin", .error,
    means: "A plugin is named twice with different settings, perhaps in two files.",
    remedy: "Make the entries equal, or remove one of them.")

  package static let containerCycle = Rule(
    "container-cycle", .error,
    means: "Containers open one another, so opening one would never end.",
    remedy: "Make one of them start with another tab, or remove the tab.")

  package static let featureAndTabs = Rule(
    "feature-and-tabs", .error,
    means: "A node has both a feature and tabs.",
    remedy: "Split it into two nodes.")

  package static let backgroundWithoutTabs = Rule(
    "background-without-tabs", .error,
    means: "A node that is not a container has a `background`. Only a container or the manifest "
      + "itself can have one.",
    remedy: "Move the `background` to the top level of the manifest, or to the container.")

  package static let unknownNode = Rule(
    "unknown-node", .error,
    means: "A node is used that is not defined.",
    remedy: "Correct the name, or define the node.")

  package static let noTargetHere = Rule(
    "no-target-here", .error,
    means: "A reserved word is used where a node is required, such as `push: current`.",
    remedy: "Name a node.")

  package static let unknownVariable = Rule(
    "unknown-variable", .error,
    means: "`$vars.name` refers to a variable that is not defined.",
    remedy: "Correct the name, or define it under `vars`.")

  package static let unknownSetting = Rule(
    "unknown-setting", .error,
    means: "`--set` names a variable that the manifest does not have.",
    remedy: "Correct the name on the command line.")

  package static let unsetVariable = Rule(
    "unset-variable", .error,
    means: "A variable has no value: neither `--set`, nor an environment variable, nor a default "
      + "gives one.",
    remedy: "Give it a `default`, set its environment variable, or write `--set name=value`.")

  package static let unusedVariable = Rule(
    "unused-variable", .warning,
    means: "A variable is defined but never used.",
    remedy: "Remove it, or use it as `$vars.name`.")

  package static let equalLinks = Rule(
    "equal-links", .error,
    means: "Two links have the same shape, so every address of one also matches the other.",
    remedy: "Distinguish them by a literal segment.")

  package static let shadowedLink = Rule(
    "shadowed-link", .error,
    means: "Two links match the same address, and neither is more specific.",
    remedy: "Distinguish them by a literal segment in the same position.")

  package static let unknownParameter = Rule(
    "unknown-parameter", .error,
    means: "A step of a link refers to a parameter that its path does not have.",
    remedy: "Correct the name, or add the parameter to the path.")

  package static let unusedParameter = Rule(
    "unused-parameter", .warning,
    means: "A parameter of a link's path is never used.",
    remedy: "Use it as `$.name` in a `with` of the link.")

  package static let missingInclude = Rule(
    "missing-include", .error,
    means: "An included file can't be read.",
    remedy: "Correct the path; it is relative to the folder of the file that contains it.")

  package static let unreadableManifest = Rule(
    "unreadable-manifest", .error,
    means: "The manifest can't be read. The exit status is 66; without `--format`, the message is "
      + "printed on standard error without a code.",
    remedy: "Name a manifest that exists and is readable.")

  package static let outsideInclude = Rule(
    "outside-include", .error,
    means: "An included file is outside the folder of the first manifest. A manifest may include "
      + "only files from that folder, unless the user allows more.",
    remedy: "Move the file into the folder, or use `--allow-outside`.")

  package static let includeCycle = Rule(
    "include-cycle", .error,
    means: "Files include one another.",
    remedy: "Remove one of the includes; move what both files need into a third.")

  package static let includesTooDeep = Rule(
    "includes-too-deep", .error,
    means: "Includes are nested too deeply.",
    remedy: "Include the files from a file that is less deeply nested.")

  /// All rules of this file.
  package static let graphRules: [Rule] = [
    .duplicateNode, .formerName, .duplicateRoute, .duplicateLink, .conflictingPlugin,
    .containerCycle,
    .featureAndTabs, .backgroundWithoutTabs, .unknownNode, .noTargetHere, .unknownVariable,
    .unknownSetting, .unsetVariable, .unusedVariable, .equalLinks, .shadowedLink,
    .unknownParameter, .unusedParameter, .unreadableManifest, .missingInclude, .outsideInclude,
    .includeCycle, .includesTooDeep,
  ]
}

extension Finding {
  package static func duplicateNode(_ name: String) -> Finding {
    Finding(.duplicateNode, "the node \(quote(name)) is already defined", leavesGap: true)
  }

  package static func livingFormerName(_ name: String, isOwn: Bool) -> Finding {
    Finding(
      .formerName,
      isOwn
        ? "'was' names the node itself; it is for earlier names"
        : "there is a node \(quote(name)), so no other can have been it")
  }

  package static func sharedFormerName(_ name: String, node: String) -> Finding {
    Finding(
      .formerName, "the node \(quote(node)) was \(quote(name)) already; only one can have been it")
  }

  package static func duplicateRoute(node: String, action: String) -> Finding {
    Finding(.duplicateRoute, "\(quote(action)) of \(quote(node)) already has a route")
  }

  package static func duplicateLink(_ path: String) -> Finding {
    Finding(.duplicateLink, "the link \(quote(path)) is already defined")
  }

  package static func conflictingPlugin(_ name: String) -> Finding {
    Finding(.conflictingPlugin, "the plugin \(quote(name)) is already there with other settings")
  }

  package static func containerCycle(_ nodes: [String]) -> Finding {
    Finding(
      .containerCycle,
      "these containers open one another without end: "
        + nodes.map(Wording.printable).joined(separator: " -> "))
  }

  package static func featureAndTabs(node: String) -> Finding {
    Finding(
      .featureAndTabs,
      "the node \(quote(node)) has both 'feature' and 'tabs'; it can be one of the two",
      leavesGap: true)
  }

  package static func backgroundWithoutTabs(node: String) -> Finding {
    Finding(
      .backgroundWithoutTabs,
      "the node \(quote(node)) has a 'background' but no 'tabs'; "
        + "only a container or the manifest itself has one", leavesGap: true)
  }

  package static func unknownNode(_ name: String, nearest: Suggestion?, allowed: [String])
    -> Finding
  {
    Finding(
      .unknownNode,
      "unknown node \(quote(name))" + Wording.hint(nearest, allowed, what: "nodes"),
      correction: .init(name, nearest))
  }

  package static func noTargetHere(word: String, verb: String) -> Finding {
    Finding(.noTargetHere, "'\(verb)' needs a node; '\(word)' is reserved", leavesGap: true)
  }

  package static func unknownVariable(
    _ name: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownVariable,
      "unknown variable \(quote(name))" + Wording.hint(nearest, allowed, what: "variables"),
      correction: .init(
        "$vars.\(name)", nearest.map { .init("$vars.\($0.name)", isCertain: $0.isCertain) }))
  }

  package static func unknownSetting(
    _ name: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownSetting,
      "--set names the unknown variable \(quote(name))"
        + Wording.hint(nearest, allowed, what: "variables"))
  }

  package static func unsetVariable(_ name: String, environment: String?) -> Finding {
    Finding(
      .unsetVariable,
      "the variable \(quote(name)) has no value; "
        + (environment.map { "set \($0) in the environment, or " } ?? "")
        + "give it a 'default' or --set \(name)=…")
  }

  package static func unusedVariable(_ name: String) -> Finding {
    Finding(.unusedVariable, "nothing uses the variable \(quote(name))")
  }

  package static func equalLinks(_ path: String, _ first: String) -> Finding {
    Finding(.equalLinks, "the links \(quote(path)) and \(quote(first)) have the same shape")
  }

  package static func shadowedLink(_ path: String, _ first: String) -> Finding {
    Finding(
      .shadowedLink,
      "the links \(quote(path)) and \(quote(first)) fit the same address, and neither is nearer")
  }

  package static func unknownParameter(
    _ name: String, nearest: Suggestion?, allowed: [String]
  ) -> Finding {
    Finding(
      .unknownParameter,
      "the link has no parameter \(quote(name))"
        + Wording.hint(nearest, allowed, what: "parameters"),
      correction: .init(name, nearest))
  }

  package static func unusedParameter(_ name: String) -> Finding {
    Finding(.unusedParameter, "nothing uses the parameter \(quote(name))")
  }

  package static func missingInclude(_ path: String, cause: String) -> Finding {
    Finding(.missingInclude, "can't read the include \(quote(path)): \(cause)")
  }

  package static func unreadableManifest(_ path: String, cause: String) -> Finding {
    Finding(.unreadableManifest, "can't read \(quote(path)): \(cause)")
  }

  package static func outsideInclude(_ path: String) -> Finding {
    Finding(
      .outsideInclude,
      "the include \(quote(path)) is outside the folder of the first manifest; "
        + "'--allow-outside' allows it")
  }

  package static func includeCycle(_ paths: [String]) -> Finding {
    Finding(
      .includeCycle,
      "these includes make a circle: " + paths.map(Wording.printable).joined(separator: " -> "))
  }

  package static func includesTooDeep(limit: Int) -> Finding {
    Finding(.includesTooDeep, "includes are nested deeper than the limit of \(limit)")
  }
}
