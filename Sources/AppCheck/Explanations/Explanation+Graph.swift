// What names do not fit together.
extension Explanation {
  static let graphEntries: [Entry] = [
    (
      "duplicate-node", "Two nodes have one name, perhaps in two files.",
      "Rename or remove one of them."
    ),
    (
      "duplicate-route", "Two routes are for the same action of the same node.",
      "Remove one of them, or join them in a list under `do`."
    ),
    (
      "duplicate-link", "Two links have the same path.",
      "Remove one of them."
    ),
    (
      "conflicting-plugin",
      "A plugin is named twice with different settings, perhaps in two files.",
      "Make the entries equal, or remove one of them."
    ),
    (
      "container-cycle", "Containers begin with one another, so that opening one would never end.",
      "Let one of them begin with another tab, or remove the tab."
    ),
    (
      "feature-and-tabs", "A node is both a feature and a container.",
      "Make two nodes of it."
    ),
    (
      "background-without-tabs",
      "A node that is no container has a `background`. Only a container, or the manifest itself, "
        + "has one.",
      "Move the `background` to the manifest's first level, or to the container."
    ),
    (
      "unknown-node", "A node is named that is not defined.",
      "Correct the name, or define the node."
    ),
    (
      "no-target-here",
      "A reserved word stands where only a node can, such as `push: current`.",
      "Name a node."
    ),
    (
      "unknown-variable", "`$vars.name` refers to a variable that is not defined.",
      "Correct the name, or define it under `vars`."
    ),
    (
      "unknown-setting", "`--set` names a variable that the manifest does not have.",
      "Correct the name on the command line."
    ),
    (
      "unset-variable",
      "A variable has no value: no `--set`, no environment variable and no default gives one.",
      "Give it a `default`, set its environment variable, or write `--set name=value`."
    ),
    (
      "unused-variable", "Nothing refers to a variable.",
      "Remove it, or use it as `$vars.name`."
    ),
    (
      "equal-links",
      "Two links have the same shape, so that every address of one is also one of the "
        + "other.",
      "Tell them apart by a literal segment."
    ),
    (
      "shadowed-link", "Two links fit the same address, and neither is nearer.",
      "Tell them apart by a literal segment in the same place."
    ),
    (
      "unknown-parameter", "A step of a link refers to a parameter that its path does not have.",
      "Correct the name, or add the parameter to the path."
    ),
    (
      "unused-parameter", "Nothing refers to a parameter of a link's path.",
      "Use it as `$.name` in a `with` of the link."
    ),
    (
      "missing-include", "An included file can't be read.",
      "Correct the path, which is relative to the folder of the file it stands in."
    ),
    (
      "outside-include",
      "An included file stands outside the folder of the first manifest, whose folder is all that a "
        + "manifest may read unless a person allows more.",
      "Move the file into the folder, or give `--allow-outside`."
    ),
    (
      "include-cycle", "Files include one another.",
      "Remove one of the includes; what two files need goes into a third."
    ),
    (
      "includes-too-deep", "Includes are nested deeper than they may be.",
      "Include the files from a file that is less deep."
    ),
  ]
}
