internal import Support

/// The program of an app: a script that starts the host with the app's manifest.
enum Launcher {
  /// The script.
  ///
  /// Links are followed to the bundle, and not beyond: where a folder on the way is a link, such as
  /// `current`, the app finds another bundle there after the link was changed.
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
      exec "$host" run "$root/\(description.folder)/\(shellWord(description.manifest))" \\
        --plugin-path "$root/lib/appcore/plugins" --locked "$@"

      """
  }
}
