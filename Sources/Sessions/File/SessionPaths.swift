internal import Glibc
internal import PluginHost
internal import Support

/// The paths of the files in which sessions are kept.
package enum SessionPaths {
  /// The default file for the session of an app.
  ///
  /// It is in the folder `appcore/sessions` in `XDG_STATE_HOME`, or in `.local/state` in `HOME`. A
  /// variable counts only if it is an absolute path.
  ///
  /// - Parameters:
  ///   - app: the app's name.
  ///   - manifest: the manifest's path, so that manifests with equal names of apps have their own
  ///     files.
  ///   - variable: returns the value of an environment variable.
  /// - Returns: the path; `nil` if neither variable is an absolute path.
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

  /// Creates the folder of a file; folders that are new are accessible only to their owner.
  static func makeFolder(of path: String) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in FilePath.folder(of: path).split(separator: "/") {
      made += "/" + part
      _ = mkdir(made, 0o700)
    }
  }

  /// Writes the image of an app that is not restarted to a new file, without secrets.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - path: the file; a number is added to its name if it exists.
  /// - Returns: the path of the new file; `nil` if it can't be written.
  package static func save(_ image: SessionImage, beside path: String) -> String? {
    makeFolder(of: path)
    for attempt in 1...100 {
      let name = attempt == 1 ? path : "\(path)-\(attempt)"
      // An existing file may be another session.
      guard access(name, F_OK) != 0 else { continue }
      let writer = ImageWriter(SessionFile(path: name))
      return writer.write(image.whole.withoutSecrets) ? name : nil
    }
    return nil
  }
}

extension SessionImage {
  /// The change that turns an empty image into this one.
  var whole: ImageChange {
    var change = ImageChange()
    change.identity = identity
    change.instances = instances.values.sorted { $0.id < $1.id }
    change.conversation = conversation
    change.waitingLink = .some(waitingLink)
    return change
  }
}
