package import AppCore

/// The header of a recording: the app that ran, with its manifest and plugins.
package struct RecordingHeader: Hashable, Sendable {
  /// The number of the format that this version writes, and the only one that it reads.
  package static let format = 1

  /// A plugin of the app.
  package struct Plugin: Hashable, Sendable {
    package var name: String
    package var version: String
    /// The digest of its file; empty for a linked or mock plugin.
    package var digest: String
    /// Its interface, as `appcore interface --json` prints it.
    package var interface: Value

    package init(name: String, version: String, digest: String, interface: Value) {
      self.name = name
      self.version = version
      self.digest = digest
      self.interface = interface
    }
  }

  package var format = RecordingHeader.format
  /// The version of appcore and its SDK.
  package var version: String
  /// The version of the Swift compiler.
  package var compiler: String
  /// The app's name, from the manifest.
  package var app: String
  /// The manifest's path.
  package var manifest: String
  /// The manifest's text before variables are substituted; empty if the manifest contains secrets.
  package var manifestText: String
  /// The digest of the manifest's file.
  package var manifestDigest: String
  package var plugins: [Plugin]
  /// The values of the manifest's variables that are not part of a secret.
  package var variables: [String: String]
  /// The nodes of the graph and their features, in the order of the graph.
  package var nodes: [SessionIdentity.Node]
  /// The plugins whose configurations contain secrets, which are not in the recording.
  package var secretPlugins: [String] = []
  /// When the app began, in seconds since 1970.
  package var begun: Int

  package init(
    version: String, compiler: String, app: String, manifest: String, manifestText: String,
    manifestDigest: String, plugins: [Plugin], variables: [String: String],
    nodes: [SessionIdentity.Node], begun: Int
  ) {
    self.version = version
    self.compiler = compiler
    self.app = app
    self.manifest = manifest
    self.manifestText = manifestText
    self.manifestDigest = manifestDigest
    self.plugins = plugins
    self.variables = variables
    self.nodes = nodes
    self.begun = begun
  }

  /// The identity of the app, as a session's image contains it.
  package var identity: SessionIdentity {
    SessionIdentity(
      app: app, manifest: manifest,
      plugins: plugins.map {
        SessionIdentity.Plugin(name: $0.name, version: $0.version, digest: $0.digest)
      }, nodes: nodes)
  }
}

/// How a recorded app ended.
package enum RecordingEnd: Hashable, Sendable {
  /// The app ended normally, or the recording was saved while it ran.
  case ended
  /// The process crashed.
  case crashed(RecordedCrash)
}

/// A crash of an app's process, with the code that caused it as far as it is known.
package struct RecordedCrash: Hashable, Sendable {
  /// The known facts, by name; unknown ones are left out.
  ///
  /// The names are `plugin`, `feature`, `node`, `instance`, `call`, `action`, `place`, `cause` and
  /// `lines`, which are the lines of a script that led to the crash.
  package var fields: [String: String]

  package init(fields: [String: String]) { self.fields = fields.filter { !$0.value.isEmpty } }

  /// The lines of a script that led to the crash.
  package var scriptLines: [String] {
    fields["lines"]?.split(separator: "\n").map(String.init) ?? []
  }

  /// The crash in one line, to follow "the app was".
  package var text: String {
    let cause = fields["cause"] ?? "a crash"
    guard let culprit = fields["feature"] ?? fields["plugin"] else {
      return "ended by \(cause); nobody is known to have caused it"
    }
    let call = fields["call"].map { " in \($0)" } ?? ""
    let node = fields["node"].map { " of '\($0)'" } ?? ""
    let action = fields["action"].map { ", at the action \($0)" } ?? ""
    return "ended by '\(culprit)'\(call)\(node): \(cause)\(action)"
  }
}
