internal import AppCheck
internal import AppCoreHost
internal import Glibc

/// A host that gets the plugins of a manifest, up to being registered, and begins nothing.
///
/// `MockHost MANIFEST` ends with 0 when all is loaded, or as `appcore` would; at once, without running
/// what libraries have to be done at the end, which is no part of loading.
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
