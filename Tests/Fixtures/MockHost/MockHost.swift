internal import AppCheck
internal import AppCoreHost
internal import Glibc

/// A host that loads and registers the plugins of a manifest, and does not start the app.
///
/// `MockHost MANIFEST` exits with 0 if all is loaded, and otherwise with the status of `appcore`.
/// It uses `_exit`, because the exit handlers of libraries are not part of loading.
@main
struct MockHost {
  static func main() {
    do throws(AppLoadError) {
      let app = try LoadedApp.load(CommandLine.arguments.last ?? "")
      for name in app.pluginNames {
        print(name, app.isLoaded(plugin: name) == true ? "loaded" : "not loaded")
      }
      fflush(nil)
      _exit(0)
    } catch {
      print(error)
      fflush(nil)
      _exit(error.exitStatus)
    }
  }
}
