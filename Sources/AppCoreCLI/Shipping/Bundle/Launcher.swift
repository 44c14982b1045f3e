internal import Manifest
internal import Support

/// The launcher of a bundled app: a shell script that runs the host with the app's manifest.
///
/// `--version` as its first argument prints the app's version, and `--help` its variables and links
/// before the options of `appcore run`.
enum Launcher {
  /// The text of the script.
  ///
  /// The script resolves links to itself, but keeps links in the path of the bundle's folder. If
  /// that path contains a link such as `current`, a running app finds the new bundle when the link
  /// changes.
  static func text(_ description: BundleDescription, _ manifest: Manifest? = nil) -> String {
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
      case ${1-} in
        --version)
          printf '%s\\n' \(shellWord(version(description)))
          exit ;;
        -h | --help)
          cat <<'END_OF_HELP'
      \(help(description, manifest).joined(separator: "\n"))
      END_OF_HELP
          ;;
      esac
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
      case ${1-} in -h | --help) "$host" run --help | sed -n '/^OPTIONS:/,$p'; exit ;; esac
      exec "$host" run "$root/\(description.folder)/"\(shellWord(description.manifest)) \\
        --plugin-path "$root/lib/appcore/plugins" --locked "$@"

      """
  }

  private static func version(_ description: BundleDescription) -> String {
    [description.name, description.version].compactMap { $0 }.joined(separator: " ")
  }

  /// The app's own part of the help, without lines that could end it.
  private static func help(_ description: BundleDescription, _ manifest: Manifest?) -> [String] {
    var lines = [version(description) + (manifest?.title.map { ": " + $0.value } ?? ""), ""]
    lines += ["USAGE: \(description.name) [<option> ...]", ""]
    let variables = manifest?.variables ?? []
    if !variables.isEmpty {
      lines.append("VARIABLES:")
      lines += variables.map { variable in
        "  --set \(variable.name.value)=<value>"
          + (variable.environment.map { "   (or the environment variable \($0.value))" } ?? "")
      }
      lines.append("")
    }
    let links = manifest?.links ?? []
    if !links.isEmpty {
      lines.append("LINKS:")
      lines += links.map { "  --open \($0.path.text)" }
      lines.append("")
    }
    return lines.map { SafeText.line($0) }
  }
}
