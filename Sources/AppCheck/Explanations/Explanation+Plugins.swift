internal import Navigation

// Why a plugin can't be had, in the order of its life.
extension Explanation {
  static let pluginEntries: [Entry] = [
    (
      "invalid-plugin-name", "The name can't be a plugin's, or the path can't be a file's.",
      "Write a name of letters, digits and `_` that does not begin with a digit; a path has a `/`."
    ),
    (
      "plugin-not-found",
      "No file `libName.so` is on the plugin path, or there is nothing at the "
        + "path. Every path that was tried is listed.",
      "Build the plugin, or name its folder with `--plugin-path` or `APPCORE_PLUGIN_PATH`."
    ),
    (
      "plugin-not-a-file",
      "The path leads to a folder, a device or something else that is no file.",
      "Name the plugin's `.so` file."
    ),
    (
      "plugin-broken-link", "The path is a link that leads to nothing, or back to itself.",
      "Build the plugin, or correct the link."
    ),
    (
      "plugin-unreadable", "The system refuses to open or read the file.",
      "Check the permissions of the file and of the folders on its path."
    ),
    (
      "plugin-writable",
      "Other users of the machine can change the file, or put another one in its place: it or its "
        + "folder belongs to another user, or is writable for everybody or for a group that is not "
        + "the user's own. A plugin's code does all that the program can do.",
      "Take the permission away with `chmod go-w`, or install the plugin as root or as the user who "
        + "runs it. `--allow-writable` takes such files as they are."
    ),
    (
      "plugin-empty", "The file has no bytes.",
      "Build or copy it again."
    ),
    (
      "plugin-too-large", "The file is larger than any plugin should be.",
      "Build the plugin for release, or strip it of debug information."
    ),
    (
      "plugin-changed",
      "The file changed while it was read, or between the check of the manifest and the time when "
        + "the plugin was needed: a build has written it.",
      "Wait until the build has ended, and start the app again."
    ),
    (
      "plugin-not-elf", "The file is no ELF file.",
      "Name the plugin's `.so` file, or build it as a dynamic library."
    ),
    (
      "plugin-other-machine", "The file is for another kind of machine.",
      "Build the plugin for this machine."
    ),
    (
      "plugin-not-shared", "The file is an object file, a program or a core dump.",
      "Build the plugin as a dynamic library: `appcore plugin build`, or a product of type "
        + "`.dynamic`."
    ),
    (
      "plugin-truncated", "The file ends before what its headers announce.",
      "Build or copy it again."
    ),
    (
      "plugin-damaged", "A structure of the file has a value that it can't have.",
      "Build or copy it again."
    ),
    (
      "plugin-no-entry", "The library exports no function `appcore_plugin_<Name>`.",
      "Is this a plugin? Export one function with `@c(appcore_plugin_<Name>)`."
    ),
    (
      "plugin-several-entries", "The library exports the entries of several plugins.",
      "Build each plugin as a library of its own."
    ),
    (
      "plugin-other-name",
      "The plugin's entry bears another name than the one it was asked for by.",
      "Ask for it by the name of its entry, or rename the entry."
    ),
    (
      "plugin-no-contract", "The library does not say which SDK it was built against.",
      "Build the plugin against the SDK in `libAppCore.so`."
    ),
    (
      "plugin-own-sdk", "The library holds an SDK of its own instead of using the host's.",
      "Depend on the product `AppCore` of the package `SDK`, which is dynamic; not on its target."
    ),
    (
      "contract-mismatch",
      "The plugin was built against another SDK. It would load, and read wrong memory; both sides "
        + "are shown.",
      "Rebuild the plugin against this host's SDK: `appcore plugin build`, or `swift build` for "
        + "one "
        + "that is built with the host."
    ),
    (
      "plugin-missing-sdk-symbols", "The library needs symbols of the SDK that this host lacks.",
      "Rebuild the plugin against this host's SDK."
    ),
    (
      "plugin-needs-plugin",
      "The library is linked to another plugin's. Features of different plugins share no symbols.",
      "Remove the dependency: features of other plugins are reached by routes, with delegate "
        + "actions."
    ),
    (
      "plugin-other-dependency",
      "The plugin brings along a library that differs from the one loaded under the same name.",
      "Give the libraries different names; a changed one is loaded at the next start."
    ),
    (
      "plugin-broken-dependency", "A library that the plugin needs can't be read.",
      "Rebuild or reinstall that library."
    ),
    (
      "scan-not-started",
      "The process that scans plugins could not be started, or is no such process: no plugin had a "
        + "part in it.",
      "Check the installation of appcore, and `APPCORE_SCANNER` if that is set."
    ),
    (
      "scan-crashed",
      "A signal ended the process that loaded the plugin to look at it. The message says whether it "
        + "was being loaded or asked for its features, and the last it wrote stands below.",
      "Mend the plugin. It is in quarantine until its file, a library that it brings along, or the "
        + "SDK changes; `--rescan` tries it again at once."
    ),
    (
      "scan-failed",
      "The plugin ended the process that loaded it to look at it, as `exit` does.",
      "Mend the plugin: loading it and naming its features must not end the program. It is in "
        + "quarantine until its file changes; `--rescan` tries it again at once."
    ),
    (
      "scan-timeout", "The plugin took too long when it was loaded, twice.",
      "Mend the plugin: it must do nothing when it is loaded, and only name its features then. If "
        + "the machine was merely busy, `--rescan` tries it again."
    ),
    (
      "scan-flood", "The plugin wrote too much when it was loaded.",
      "Mend the plugin: it must not write when it is loaded. `--rescan` tries it again."
    ),
    (
      "scan-output", "What the scanning process sent can't be understood.",
      "Build the plugin again. If that does not help, this is a fault of appcore's."
    ),
    (
      "plugin-not-copied", "No private copy of the file could be made.",
      "Free some space, or name another folder with `XDG_CACHE_HOME`."
    ),
    (
      "plugin-not-executable", "Code can't be run from the folder of the private copy.",
      "Name another folder with `XDG_CACHE_HOME`, on a file system that is not mounted `noexec`."
    ),
    (
      "plugin-library-not-found", "The loader does not find a library that the plugin needs.",
      "Install the library; if it lies beside the plugin, link the plugin with a run path of "
        + "`$ORIGIN`."
    ),
    (
      "plugin-undefined-symbols", "Nothing defines symbols that the plugin needs.",
      "Link the plugin to the library that defines them."
    ),
    (
      "plugin-loader", "The loader refuses the file, in its own words.",
      "Rebuild the plugin."
    ),
    (
      "plugin-entry-not-loaded", "The loader does not find the entry that the file has.",
      "Rebuild the plugin."
    ),
    (
      "plugin-registration",
      "What the plugin says of itself is refused, or its version is not one that the manifest asks "
        + "for. The message says which.",
      "Correct the plugin, or the `version` in the manifest."
    ),
    (
      "plugin-duplicate",
      "Two files of one manifest are the same plugin, or a file is one that is linked into the "
        + "program. Both are named.",
      "Name one of the two files only: a plugin's name stands for one file."
    ),
    (
      "plugin-unsteady",
      "The plugin says something else of itself than it said when it was scanned, and the manifest "
        + "was checked by that.",
      "Let the plugin name the same features every time; `--rescan` asks it again."
    ),
  ]
}
