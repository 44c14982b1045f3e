public import Support

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
