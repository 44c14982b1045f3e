// Why a folder of sources can't be made a plugin, in the order in which it is tried.
extension Explanation {
  static let buildEntries: [Entry] = [
    (
      "plugin-no-sources", "There is no such folder, or it holds no Swift sources.",
      "Name the folder that holds `Sources/<Name>/*.swift`; `appcore plugin new <Name>` makes one."
    ),
    (
      "plugin-several-modules",
      "The folder's `Sources` hold several modules. A plugin that `appcore plugin build` makes is "
        + "one module, in `Sources/<Name>`.",
      "Give each plugin a folder of its own, or build this one with `swift build`."
    ),
    (
      "plugin-source-no-entry", "No source names an entry, `appcore_plugin_<Name>`.",
      "Export one function with `@c(appcore_plugin_<Name>)`."
    ),
    (
      "plugin-source-several-entries",
      "The sources name the entries of several plugins, and none of them the folder's.",
      "Give each plugin a folder of its own."
    ),
    (
      "plugin-source-other-name",
      "The entry in the sources is named for another plugin than the folder in `Sources`, or its "
        + "name can't be a plugin's.",
      "Name the entry for the folder of the sources, or rename the folder."
    ),
    (
      "plugin-no-modules",
      "Beside the SDK's library there are no modules that a plugin could be compiled against.",
      "Use an appcore that was installed whole: `make install` in its checkout."
    ),
    (
      "plugin-no-compiler", "There is no `swiftc` on the `PATH`, or none that names its version.",
      "Install Swift, or add its folder to `PATH`."
    ),
    (
      "plugin-other-compiler",
      "The `swiftc` on the `PATH` is of another version than the one that built the SDK of this "
        + "appcore. It could not read the SDK's modules; both versions are shown.",
      "Put a Swift of the SDK's version first on the `PATH`, or install an appcore that was built "
        + "by yours."
    ),
    (
      "plugin-not-compiled",
      "The compiler refuses the plugin's sources. The first errors are shown, each with its place.",
      "Correct the sources; `appcore plugin build` shows all that the compiler says."
    ),
    (
      "plugin-compiler-ended",
      "The compiler could not be started, was ended by a signal, or crashed over the sources.",
      "Try again; if it happens again, write what the message names in another way, or check the "
        + "installation of Swift."
    ),
    (
      "plugin-build-refused",
      "A source can't be read, or what is built can't be written: into `.build/appcore` in the "
        + "plugin's folder. Or another build of the folder has not ended for two minutes.",
      "Check the permissions of the folder, and the free space; end the other build."
    ),
    (
      "plugin-not-as-built",
      "The file bears a digest of the bytes that it was built with, and has other bytes: it was "
        + "damaged or changed. `appcore plugin build` puts the digest into what it builds.",
      "Copy the file again, or rebuild it."
    ),
  ]
}
