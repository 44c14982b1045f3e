public import Support

/// The rules of this module; what they mean, and what helps, is in `CheckRules.md`.
extension Rule {
  private static let catalogue = RuleCatalogue(PackageResources.CheckRules_md)

  package static let pluginUnavailable = catalogue["plugin-unavailable"]
  package static let unusedPlugin = catalogue["unused-plugin"]
  package static let unknownPlugin = catalogue["unknown-plugin"]
  package static let unknownFeature = catalogue["unknown-feature"]
  package static let unusableFeature = catalogue["unusable-feature"]
  package static let plainSecret = catalogue["plain-secret"]
  package static let unknownDelegate = catalogue["unknown-delegate"]
  package static let idleSource = catalogue["idle-source"]
  package static let unroutedDelegate = catalogue["unrouted-delegate"]
  package static let unknownInput = catalogue["unknown-input"]
  package static let noReceiver = catalogue["no-receiver"]
  package static let missingField = catalogue["missing-field"]
  package static let superfluousField = catalogue["superfluous-field"]
  package static let unknownField = catalogue["unknown-field"]
  package static let typeMismatch = catalogue["type-mismatch"]
  package static let notInsertable = catalogue["not-insertable"]
  package static let missingCase = catalogue["missing-case"]
  package static let neverApplies = catalogue["never-applies"]
  package static let neverGiven = catalogue["never-given"]
  package static let textForReference = catalogue["text-for-reference"]
  package static let idleRoute = catalogue["idle-route"]
  package static let parameterConflict = catalogue["parameter-conflict"]
  package static let unsayableParameter = catalogue["unsayable-parameter"]
  package static let unreachableNode = catalogue["unreachable-node"]
  package static let unboundedRecursion = catalogue["unbounded-recursion"]
  package static let idleMaxDepth = catalogue["idle-max-depth"]
  package static let buildsDiffer = catalogue["builds-differ"]
  package static let unknownCode = catalogue["unknown-code"]

  package static let bundleNotInstalled = catalogue["bundle-not-installed"]
  package static let bundleName = catalogue["bundle-name"]
  package static let bundleNoVersion = catalogue["bundle-no-version"]
  package static let bundleNoMaintainer = catalogue["bundle-no-maintainer"]
  package static let bundleIncludeOutside = catalogue["bundle-include-outside"]
  package static let bundleManifest = catalogue["bundle-manifest"]
  package static let bundleLibraryMissing = catalogue["bundle-library-missing"]
  package static let bundleLibraryConflict = catalogue["bundle-library-conflict"]
  package static let bundleNoPackage = catalogue["bundle-no-package"]
  package static let bundleTool = catalogue["bundle-tool"]
  package static let bundleNotLoadable = catalogue["bundle-not-loadable"]
  package static let bundleTargetExists = catalogue["bundle-target-exists"]
  package static let bundleArchiveForm = catalogue["bundle-archive-form"]
  package static let bundleTargetInside = catalogue["bundle-target-inside"]
  package static let bundleNotWritten = catalogue["bundle-not-written"]
  package static let archiveDamaged = catalogue["archive-damaged"]
  package static let archiveUnsafe = catalogue["archive-unsafe"]
  package static let archiveTooLarge = catalogue["archive-too-large"]
  package static let bundleDamaged = catalogue["bundle-damaged"]
  package static let bundleChanged = catalogue["bundle-changed"]
  package static let bundleNoList = catalogue["bundle-no-list"]

  static let interfaceNotRead = catalogue["interface-not-read"]
  static let interfaceTooLarge = catalogue["interface-too-large"]
  static let interfaceNotJSON = catalogue["interface-not-json"]
  static let interfaceFormat = catalogue["interface-format"]
  static let interfaceInvalid = catalogue["interface-invalid"]
  static let interfaceOfOther = catalogue["interface-of-other"]

  package static let checkRules = catalogue.rules(of: "Checks")
  public static let bundleRules = catalogue.rules(of: "Bundles")
  package static let interfaceRules = catalogue.rules(of: "Interfaces")
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
