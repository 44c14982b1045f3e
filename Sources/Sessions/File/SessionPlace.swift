internal import Glibc
internal import PluginHost
internal import Support

/// Where sessions are kept.
package enum SessionPlace {
  /// The file for an app: `appcore/sessions` in `XDG_STATE_HOME`, which must be an absolute path, or in
  /// `~/.local/state`.
  ///
  /// - Parameters:
  ///   - app: the app's name.
  ///   - manifest: the manifest's path; two manifests of one name have two files.
  ///   - variable: the environment.
  /// - Returns: `nil` where the environment names no place.
  package static func path(
    app: String, manifest: String, _ variable: (String) -> String?
  ) -> String? {
    let folder: String
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      folder = state
    } else if let home = variable("HOME"), home.hasPrefix("/") {
      folder = home + "/.local/state"
    } else {
      return nil
    }
    let place = Array((FilePath.resolved(manifest) ?? manifest).utf8)
    let digest = String(place.withUnsafeBytes { ContentDigest($0).value }, radix: 16)
    let name = String(app.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" }.prefix(60))
    return "\(folder)/appcore/sessions/\(name)-\(digest).session"
  }

  /// Makes the folder of a file, for its owner alone.
  static func makeFolder(of path: String) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in FilePath.folder(of: path).split(separator: "/") {
      made += "/" + part
      _ = mkdir(made, 0o700)
    }
  }

  /// Writes the image of an app that is given up to a file of its own, without secrets.
  ///
  /// - Returns: the file; `nil` where it can't be written.
  package static func save(_ image: SessionImage, beside path: String) -> String? {
    makeFolder(of: path)
    for attempt in 1...100 {
      let name = attempt == 1 ? path : "\(path)-\(attempt)"
      // Whatever is there already belongs to somebody.
      guard access(name, F_OK) != 0 else { continue }
      let writer = ImageWriter(SessionFile(path: name))
      return writer.write(image.whole.withoutSecrets) ? name : nil
    }
    return nil
  }
}

extension SessionImage {
  /// The change that makes an empty image this one.
  var whole: ImageChange {
    var change = ImageChange()
    change.identity = identity
    change.instances = instances.values.sorted { $0.id < $1.id }
    change.conversation = conversation
    change.waitingLink = .some(waitingLink)
    return change
  }
}
