@_spi(Host) internal import AppCore
internal import Navigation
internal import Support

/// The header of a recording: the app that ran, with its manifest and plugins.
///
/// Its JSON is the first line; docs/timeline.md says what each field means.
package struct RecordingHeader: Hashable, Sendable, Codable {
  /// The number of the format that this version writes, and the only one that it reads.
  package static let currentFormat = 1

  package struct Manifest: Hashable, Sendable, Codable {
    package var path: String
    package var digest: String
    /// The text before variables are substituted; empty if the manifest contains secrets.
    package var text: String

    package init(path: String, digest: String, text: String) {
      self.path = path
      self.digest = digest
      self.text = text
    }
  }

  package var format = RecordingHeader.currentFormat
  /// The version of appcore and its SDK.
  package var version = SDK.version
  package var compiler = SDK.compilerVersion
  package var app: String
  package var manifest: Manifest
  package var plugins: [SessionIdentity.Plugin]
  /// The values of the manifest's variables that are not part of a secret.
  package var variables: [String: String]
  /// The nodes of the graph and their features, in the order of the graph.
  package var nodes: [SessionIdentity.Node]
  /// The plugins whose configurations contain secrets, which are not in the recording.
  package var secretPlugins: [String]
  /// When the app began, in seconds since 1970.
  package var begun: Int

  private enum CodingKeys: String, CodingKey {
    case format = "recording"
    case version, compiler, app, manifest, plugins, variables, nodes
    case secretPlugins = "secrets"
    case begun
  }

  package init(
    app: String, manifest: Manifest, plugins: [SessionIdentity.Plugin],
    variables: [String: String], nodes: [SessionIdentity.Node], secretPlugins: [String] = [],
    begun: Int
  ) {
    self.app = app
    self.manifest = manifest
    self.plugins = plugins
    self.variables = variables
    self.nodes = nodes
    self.secretPlugins = secretPlugins
    self.begun = begun
  }

  /// Reads the first line of a recording.
  ///
  /// - Throws: why it is not a header of this format.
  init(_ line: [UInt8]) throws(Rejection) {
    let value = try? JSONReader.value(line, depthLimit: 512)
    guard case .int(let format)? = value?["recording"] else {
      throw Rejection(.notARecording, "the first line is not the header of a recording")
    }
    guard format == Self.currentFormat else {
      throw Rejection(
        .newerRecording,
        "the recording has format \(format), and this version of appcore reads format "
          + "\(Self.currentFormat)")
    }
    do {
      self = try ValueDecoder().decode(Self.self, from: value ?? .null)
    } catch {
      throw Rejection(
        .damagedHeader, "the header can't be used: \(describe(error))")
    }
  }

  /// The first line of a recording, without its newline.
  package var text: String { Value(coding: self).json }

  /// The identity of the app, as a session's image contains it.
  package var identity: SessionIdentity {
    SessionIdentity(app: app, manifest: manifest.path, plugins: plugins, nodes: nodes)
  }
}

/// A crash of an app's process, with the code that caused it as far as it is known.
package struct RecordedCrash: Hashable, Sendable {
  /// The known facts, by name; unknown ones are left out.
  ///
  /// The names are `plugin`, `feature`, `node`, `instance`, `call`, `action`, `place`, `cause` and
  /// `lines`, which are the lines of a script that led to the crash.
  package var fields: [String: String]

  package init(fields: [String: String]) { self.fields = fields.filter { !$0.value.isEmpty } }

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
