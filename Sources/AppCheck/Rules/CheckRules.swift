public import Support

extension Rule {
  package static let pluginUnavailable = Rule(
    "plugin-unavailable",
    means: "A plugin can't be loaded. The lines below the message list the paths that were tried, "
      + "or both sides of a mismatch. Errors that follow from the missing plugin are not reported. "
      + "If all errors are of this kind, the exit status is 69.",
    remedy: "Follow the help below the message. The code in the line `code:` gives the reason; "
      + "`appcore explain` explains it too.")
  package static let unusedPlugin = Rule(
    "unused-plugin", .warning,
    means: "The manifest lists a plugin, but no node uses a feature of it.",
    remedy: "Remove the plugin, or use it.")
  package static let unknownPlugin = Rule(
    "unknown-plugin", means: "A node names a feature of a plugin that the manifest does not list.",
    remedy: "Correct the name, or add the plugin under `plugins`.")
  package static let unknownFeature = Rule(
    "unknown-feature", means: "The plugin has no feature of that name.",
    remedy: "Use the suggested name or one of the listed ones.")
  package static let unusableFeature = Rule(
    "unusable-feature",
    means: "A plugin has a feature that no manifest can use: an action of it can't be described, "
      + "such as a case with several values without labels. The message says which.",
    remedy: "Correct the feature, as the message says, and build the plugin again.")
  package static let plainSecret = Rule(
    "plain-secret", .warning,
    means: "A field of a feature is called like a secret, such as `password` or `token`, and is a "
      + "plain string: it is printed, recorded and kept like any other text.",
    remedy: "Make the field a `Secret` in the feature, or give it another name.")
  package static let unknownDelegate = Rule(
    "unknown-delegate",
    means: "A route handles an action that the feature of its node does not emit, or that no "
      + "feature emits.",
    remedy: "Use the suggested name or one of the listed ones.")
  package static let idleSource = Rule(
    "idle-source", means: "One of the nodes in a route's list has none of the route's actions.",
    remedy: "Remove the node from the list, or correct the actions.")
  package static let unroutedDelegate = Rule(
    "unrouted-delegate", means: "A delegate action of a node has no route.",
    remedy: "Add a route, with `do: ignore` if nothing is meant to happen.")
  package static let unknownInput = Rule(
    "unknown-input", means: "The receiver has no input action of that name.",
    remedy: "Use `as` with one of the listed names.")
  package static let noReceiver = Rule(
    "no-receiver", means: "No node that can be the receiver has that input action.",
    remedy: "Correct the name after `as`, or notify a node that has it.")
  package static let missingField = Rule(
    "missing-field",
    means: "A field that the target needs is given neither by the node nor by the route, and the "
      + "feature has no default for it.",
    remedy: "Add it under `with`, in the node or in the route.")
  package static let superfluousField = Rule(
    "superfluous-field", means: "A field is given that the target does not accept.",
    remedy: "Use the suggested name, or remove the field.")
  package static let unknownField = Rule(
    "unknown-field", means: "A reference names a field that the payload does not have.",
    remedy: "Use the suggested name or one of the listed ones.")
  package static let typeMismatch = Rule(
    "type-mismatch", means: "A value does not have the type of its field.",
    remedy: "Give a value of the expected type; text with insertions is always a string.")
  package static let notInsertable = Rule(
    "not-insertable", means: "Only strings, numbers and booleans can be inserted into text.",
    remedy: "Insert a field of the value, or pass the whole value as a reference of its own.")
  package static let missingCase = Rule(
    "missing-case", means: "The source's enum has cases that the receiver's enum lacks.",
    remedy: "Add the cases to the receiver, or emit another action for them.")
  package static let neverApplies = Rule(
    "never-applies", means: "A verb can never apply here. The message says why.",
    remedy: "Choose another verb or target.")
  package static let neverGiven = Rule(
    "never-given",
    means: "A tab or background instance refers to a field that no route to its container gives.",
    remedy: "Use the suggested name, or give the field in the `with` of every route to the "
      + "container.")
  package static let textForReference = Rule(
    "text-for-reference",
    means: "A plain string looks like a reference without its `$`, and the container is given a "
      + "field of that name.",
    remedy: "Write `$.field`.")
  package static let idleRoute = Rule(
    "idle-route", .warning,
    means: "A route for `any` never applies: each node that emits one of its actions has a route "
      + "of its own for that action.",
    remedy: "Remove it, or one of the others.")
  package static let parameterConflict = Rule(
    "parameter-conflict",
    means: "A link parameter is used for fields of two types, but it can only have one.",
    remedy: "Use a separate parameter for each field.")
  package static let unsayableParameter = Rule(
    "unsayable-parameter",
    means: "A link parameter is used for a list, a map or something else that an address can't "
      + "express.",
    remedy: "Use parameters for strings, numbers and booleans; put the rest in the `with` of the "
      + "node.")
  package static let unreachableNode = Rule(
    "unreachable-node", .warning,
    means: "A node can't be reached: no route, tab, background, link or `start` leads to it.",
    remedy: "Add a route or link to it, or remove it.")
  package static let unboundedRecursion = Rule(
    "unbounded-recursion", .note,
    means: "A node can be pushed onto itself, or a dialog opened over itself, without limit. That "
      + "is allowed, and costs only the memory of the instances.",
    remedy: "Set `maxDepth` on a pushed node if there should be a limit; let a dialog `dismiss` "
      + "before it presents the next.")
  package static let idleMaxDepth = Rule(
    "idle-max-depth", .note,
    means: "A node has a `maxDepth`, but no step pushes it or replaces another node with it. The "
      + "limit counts instances in one stack, so it never applies to a dialog, a tab or the start "
      + "node.",
    remedy: "Remove it, or push the node.")
  package static let buildsDiffer = Rule(
    "builds-differ", .warning,
    means: "The search path has two builds of a plugin with the same version but different "
      + "interfaces, so the check depends on which is found first. The message shows one "
      + "difference; `appcore interface --compare` lists all.",
    remedy: "Give the build with the changed interface its own version, or remove the unwanted "
      + "one.")
  package static let unknownCode = Rule(
    "unknown-code", .warning,
    means: "A comment `# appcore: ignore` names a code that no rule has, so it ignores nothing.",
    remedy: "Correct the code; `appcore explain` lists all codes.")

  package static let checkRules: [Rule] = [
    .pluginUnavailable, .unusedPlugin, .unknownPlugin, .unknownFeature, .unusableFeature,
    .plainSecret, .unknownDelegate, .idleSource, .unroutedDelegate, .unknownInput, .noReceiver,
    .missingField, .superfluousField, .unknownField, .typeMismatch, .notInsertable, .missingCase,
    .neverApplies, .neverGiven, .textForReference, .idleRoute, .parameterConflict,
    .unsayableParameter, .unreachableNode, .unboundedRecursion, .idleMaxDepth, .buildsDiffer,
    .unknownCode,
  ]
}

// The rules for bundles and archives.
extension Rule {
  package static let bundleNotInstalled = Rule(
    "bundle-not-installed",
    means:
      "This appcore is a build of its checkout. Its files name folders of this machine, so they "
      + "can't be part of a bundle.",
    remedy:
      "Install appcore with `make install PREFIX=/some/where`, and use that one; or leave the "
      + "host out with `--with-runtime=no`.")
  package static let bundleName = Rule(
    "bundle-name",
    means:
      "The app's `name` can't be that of a program and a package: 2 to 64 lowercase letters, digits "
      + "and `-`, beginning with a letter and not ending with `-`, and not `appcore`.",
    remedy: "Change `name` in the manifest.")
  package static let bundleNoVersion = Rule(
    "bundle-no-version", means: "A Debian package has a version, and the manifest gives none.",
    remedy: "Add a `version` to the manifest, such as `version: 1.0.0`.")
  package static let bundleNoMaintainer = Rule(
    "bundle-no-maintainer",
    means:
      "A Debian package names who maintains it, and nothing says who that is, or not in the form "
      + "`NAME <MAIL>`.",
    remedy: "Give `--maintainer 'Ada Lovelace <ada@example.org>'`, or set DEBFULLNAME and DEBEMAIL."
  )
  package static let bundleIncludeOutside = Rule(
    "bundle-include-outside",
    means: "A file that the manifest includes, or that is to be part of the bundle, is outside the "
      + "manifest's folder, or is not a regular file.",
    remedy: "Move the file into the manifest's folder.")
  package static let bundleManifest = Rule(
    "bundle-manifest",
    means:
      "A plugin's `path` can't be replaced by its name in the manifest, because the entry is not "
      + "written as a key and a value in one place.",
    remedy: "Write the plugin as `{ path: … }`, without an alias.")
  package static let bundleLibraryMissing = Rule(
    "bundle-library-missing",
    means:
      "A library that the program or a plugin needs can't be found, or is in a folder that can't be "
      + "part of a bundle.",
    remedy: "Install the library, or put it into the plugin's folder.")
  package static let bundleLibraryConflict = Rule(
    "bundle-library-conflict",
    means:
      "Two plugins bring along different libraries of one name. In a bundle, all plugins are in one "
      + "folder with their libraries.",
    remedy: "Build both plugins with the same library, or give one of the libraries another name.")
  package static let bundleNoPackage = Rule(
    "bundle-no-package",
    means: "A Debian package must depend on the package of a library, and dpkg knows none that has "
      + "the library.",
    remedy: "Install the library from a package of Debian, or put it into the plugin's folder.")
  package static let bundleTool = Rule(
    "bundle-tool",
    means: "A program that bundling needs is not on the `PATH`, or failed.",
    remedy: "Install it, or see what it printed.")
  package static let bundleNotLoadable = Rule(
    "bundle-not-loadable",
    means: "The app in the bundle has problems that the app itself does not have.",
    remedy: "Correct what the problems say; if the app runs by itself, report a bug in appcore."
  )
  package static let bundleTargetExists = Rule(
    "bundle-target-exists",
    means: "There is something at the bundle's place that is not a bundle of the same app.",
    remedy: "Remove it, or give another place with `-o`.")
  package static let bundleArchiveForm = Rule(
    "bundle-archive-form",
    means: "The path ends like an archive of a form in which there are no bundles.",
    remedy: "Give a path that ends in `.tar.gz` or `.deb`, or the path of a folder.")
  package static let bundleTargetInside = Rule(
    "bundle-target-inside",
    means: "The bundle would be among the sources of the app: in a plugin's sources or in a folder "
      + "that is part of the bundle.",
    remedy: "Give another place with `-o`, such as `-o build/NAME`.")
  package static let bundleNotWritten = Rule(
    "bundle-not-written", means: "A file of the bundle can't be read or written.",
    remedy: "Check the permissions of the folder, and the free space.")
  package static let archiveDamaged = Rule(
    "archive-damaged",
    means: "The archive is not one of the form that its name says, or is damaged or cut off.",
    remedy: "Get the archive again, or make it again with `appcore bundle`.")
  package static let archiveUnsafe = Rule(
    "archive-unsafe",
    means: "The archive has a member that would be written outside its folder, a link that leads "
      + "out of it, or something that is not a file, a folder or a link.",
    remedy: "Do not unpack it; use an archive that `appcore bundle` made.")
  package static let archiveTooLarge = Rule(
    "archive-too-large",
    means:
      "The archive has more than 512 MiB unpacked, or more than 100,000 members; or a file to be "
      + "bundled is larger than 512 MiB.",
    remedy:
      "Use an archive that `appcore bundle` made; move a file that is too large out of the app's "
      + "folder.")
  package static let bundleDamaged = Rule(
    "bundle-damaged",
    means:
      "A folder or an archive is not a bundle: it lacks a file that bundles have, or that file "
      + "is not what it must be.",
    remedy: "Make the bundle again with `appcore bundle`.")

  public static let bundleRules: [Rule] = [
    .bundleNotInstalled, .bundleName, .bundleNoVersion, .bundleNoMaintainer, .bundleIncludeOutside,
    .bundleManifest, .bundleLibraryMissing, .bundleLibraryConflict, .bundleNoPackage, .bundleTool,
    .bundleNotLoadable, .bundleTargetExists, .bundleArchiveForm, .bundleTargetInside,
    .bundleNotWritten, .archiveDamaged, .archiveUnsafe, .archiveTooLarge, .bundleDamaged,
  ]
}

// The rules about interface files, which `appcore interface PLUGIN --json` writes.
extension Rule {
  static let interfaceNotRead = Rule(
    "interface-not-read",
    means: "The interface file can't be read. The message gives the system's reason.",
    remedy: "Name a file that `appcore interface PLUGIN --json` wrote.")
  static let interfaceTooLarge = Rule(
    "interface-too-large",
    means: "The interface file is larger than 4 MiB, or its shapes nest more than 64 deep.",
    remedy: "Name a file that `appcore interface PLUGIN --json` wrote; none is that large.")
  static let interfaceNotJSON = Rule(
    "interface-not-json",
    means: "The interface file is not JSON. The message gives the line.",
    remedy: "Write it again with `appcore interface PLUGIN --json`.")
  static let interfaceFormat = Rule(
    "interface-format",
    means: "The file has an unsupported format version, or none.",
    remedy: "Write it again with `appcore interface PLUGIN --json` of this program, or update "
      + "appcore.")
  static let interfaceInvalid = Rule(
    "interface-invalid",
    means: "A part of the file is not valid in an interface. The message names the part.",
    remedy: "Correct the part that the message names, or write the file again with "
      + "`appcore interface PLUGIN --json`.")
  static let interfaceOfOther = Rule(
    "interface-of-other",
    means: "The interface belongs to a different plugin than the one mocked.",
    remedy: "Name the file of that plugin's interface.")

  package static let interfaceRules: [Rule] = [
    .interfaceNotRead, .interfaceTooLarge, .interfaceNotJSON, .interfaceFormat, .interfaceInvalid,
    .interfaceOfOther,
  ]
}

/// The error that an interface file can't be used.
public struct InterfaceError: Error, CustomStringConvertible {
  public let path: String
  package let cause: Rejection

  public var description: String { [cause].text(about: path) }

  /// The exit status for a program that ends with this error.
  ///
  /// It is 66 (`EX_NOINPUT`) if the file can't be read, and 65 (`EX_DATAERR`) otherwise.
  public var exitStatus: Int32 { cause.rule == .interfaceNotRead ? 66 : 65 }
}
