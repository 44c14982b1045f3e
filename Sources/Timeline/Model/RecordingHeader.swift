package import AppCore
package import Sessions

/// What a recording begins with: the app that ran, and what it was made of.
package struct RecordingHeader: Hashable, Sendable {
  /// The number of the format that this version writes, and the latest that it reads.
  package static let format = 1

  /// A plugin of the app.
  package struct Plugin: Hashable, Sendable {
    package var name: String
    package var version: String
    /// The digest of its file; empty for one that is linked or a mock.
    package var digest: String
    /// Its interface, as `appcore interface --json` has it.
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
  package var compiler: String
  /// The app's name, as the manifest gives it.
  package var app: String
  /// The manifest's path.
  package var manifest: String
  /// The manifest's text, without values from outside; empty where the manifest gives secrets.
  package var manifestText: String
  package var manifestDigest: String
  package var plugins: [Plugin]
  /// The variables that were set and are not secret.
  package var variables: [String: String]
  /// The nodes of the graph and their features, in the order of the graph.
  package var nodes: [SessionIdentity.Node]
  /// The plugins that the manifest gives secrets to, which are not in the recording.
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

  /// The app as an image of a session describes it.
  package var identity: SessionIdentity {
    SessionIdentity(
      app: app, manifest: manifest,
      plugins: plugins.map {
        SessionIdentity.Plugin(name: $0.name, version: $0.version, digest: $0.digest)
      }, nodes: nodes)
  }
}

/// How a recording ends that does not simply stop.
package enum RecordingEnd: Hashable, Sendable {
  /// The app has ended, or whoever recorded it wanted no more.
  case ended
  /// Code of a plugin has ended the process.
  case crashed(RecordedCrash)
}

/// Whose code has ended the process of an app.
package struct RecordedCrash: Hashable, Sendable {
  /// What is known: `plugin`, `feature`, `node`, `instance`, `call`, `action`, `place`, `cause`, and as
  /// `lines` those of a script that led to it; empty ones are left out.
  package var fields: [String: String]

  package init(fields: [String: String]) { self.fields = fields.filter { !$0.value.isEmpty } }

  /// What is known of it, in one line.
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
