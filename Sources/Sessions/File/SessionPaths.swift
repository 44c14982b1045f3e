internal import Glibc
internal import PluginHost
internal import Support

package enum SessionPaths {
  /// The default file for the session of an app.
  ///
  /// It is in the folder `appcore/sessions` in `XDG_STATE_HOME`, or in `.local/state` in `HOME`. A
  /// variable counts only if it is an absolute path. Manifests with equal names of apps have their own
  /// files, by the paths by which they are called. Links are not followed: an update may replace one.
  ///
  /// - Returns: the path; `nil` if neither variable is an absolute path.
  package static func path(
    app: String, manifest: String, _ variable: (String) -> String?
  ) -> String? {
    let place = Array(FilePath.absolute(manifest).utf8)
    let digest = String(place.withUnsafeBytes { ContentDigest($0).value }, radix: 16)
    return folder(variable).map { "\($0)/\(FilePath.part(forApp: app))-\(digest).session" }
  }

  private static func folder(_ variable: (String) -> String?) -> String? {
    FilePath.ofUser("sessions", "XDG_STATE_HOME", or: ".local/state", variable)
  }

  /// The only session of an app whose manifest was called by another path; `nil` if there is none,
  /// or several.
  ///
  /// An app that is still at the path of its session has not moved.
  ///
  /// - Returns: the session.
  package static func moved(
    app: String, manifest: String, _ variable: (String) -> String?
  ) -> SavedSession? {
    guard let folder = folder(variable), let names = FilePath.names(in: folder) else { return nil }
    let found = names.filter {
      $0.hasPrefix(FilePath.part(forApp: app) + "-") && $0.hasSuffix(".session")
    }
    .compactMap { name -> SavedSession? in
      let former = FilePath.join(folder, name)
      guard let saved = ((try? SavedSession.read(former, app: app)) ?? nil) else { return nil }
      let path = saved.image.identity.manifest
      let isThere =
        path.hasPrefix("/") && FilePath.resolved(path) != nil
        && !FilePath.areSame(path, manifest)
      return isThere ? nil : saved
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Copies a session's file, of which only a part can be read.
  ///
  /// - Returns: the copy; `nil` if it can't be written.
  package static func copy(_ path: String, as suffix: String) -> String? {
    let place = freeName(FilePath.resolved(path) ?? path, suffix)
    do {
      try FileReplacement.write(WholeFile.read(path), to: place, newMode: 0o600)
      return place
    } catch {
      return nil
    }
  }

  /// Renames a session's file that is not resumed, so that nothing overwrites it.
  ///
  /// - Returns: its new path; `nil` if it can't be renamed.
  package static func setAside(_ path: String, as suffix: String) -> String? {
    let file = FilePath.resolved(path) ?? path
    let place = freeName(file, suffix)
    return rename(file, place) == 0 ? place : nil
  }

  private static func freeName(_ file: String, _ suffix: String) -> String {
    let names = ["\(file).\(suffix)"] + (2...9).map { "\(file).\(suffix)-\($0)" }
    // One of many is replaced: a device may do this for years.
    return names.first { access($0, F_OK) != 0 } ?? names[0]
  }

  /// Writes the image of an app that is not restarted to a new file, without secrets.
  ///
  /// A number is added to the file's name if it exists. Returns the path of the new file; `nil` if it
  /// can't be written.
  package static func save(
    _ image: SessionImage, without secrets: SecretTexts, beside path: String
  ) -> String? {
    FilePath.makeFolder(FilePath.folder(of: path), mode: 0o700)
    for attempt in 1...100 {
      let name = attempt == 1 ? path : "\(path)-\(attempt)"
      // An existing file may be another session.
      guard access(name, F_OK) != 0 else { continue }
      let writer = ImageWriter(SessionFile(path: name))
      var whole = image.whole
      // Whether it has a secret, only the routes of an app tell that does not run now.
      whole.isWaitingLinkPrivate = true
      return writer.write(whole.open(without: secrets)) ? name : nil
    }
    return nil
  }
}
