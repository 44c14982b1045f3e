internal import Support

/// The launcher of a bundled app: a shell script that runs the host with the app's manifest.
enum Launcher {
  /// The text of the script.
  ///
  /// The script resolves links to itself, but keeps links in the path of the bundle's folder. If
  /// that path contains a link such as `current`, a running app finds the new bundle when the link
  /// changes.
  static func text(_ description: BundleDescription) -> String {
    let name = description.name
    let host =
      description.hasRuntime
      ? "host=$root/bin/appcore"
      : """
      host=$(command -v appcore) || {
        echo "\(name): there is no 'appcore' on the PATH; install appcore \(description.appcore)" >&2
        exit 69
      }
      """
    return """
      #!/bin/sh
      # Starts \(name); arguments are those of `appcore run`.
      # Called by a bare name, as by `sh NAME`, it is in the current folder.
      case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
      while [ -L "$self" ]; do
        link=$(readlink "$self") || exit 70
        case $link in
          /*) self=$link ;;
          *) self=${self%/*}/$link ;;
        esac
      done
      # The letter keeps newlines at the end of the name; CDPATH would lead elsewhere.
      root=$(CDPATH= cd -- "${self%/*}/.." && pwd && echo x) || exit 70
      root=${root%??}
      \(host)
      exec "$host" run "$root/\(description.folder)/"\(shellWord(description.manifest)) \\
        --plugin-path "$root/lib/appcore/plugins" --locked "$@"

      """
  }
}
