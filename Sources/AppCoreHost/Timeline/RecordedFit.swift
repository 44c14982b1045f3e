internal import AppCheck
internal import AppCore
package import Sessions

/// Whether a plugin is compatible with the build of it that a recording was made with.
package struct RecordedFit: Hashable, Sendable {
  /// The result of comparing two builds of a plugin.
  package enum Verdict: Hashable, Sendable {
    /// The plugin is the build that was recorded.
    case identical
    /// Another build, whose interface is the same or compatible.
    case fits
    /// Another build with incompatible changes in its interface, one text for each.
    case doesNotFit([String])
    /// The app has no such plugin.
    case isMissing
  }

  /// The plugin's name.
  package let plugin: String
  /// The recorded version and the loaded version.
  package let versions: (former: String, own: String)
  package let verdict: Verdict

  /// The verdict in one line.
  package var text: String {
    let change =
      versions.former == versions.own ? versions.own : "\(versions.former) → \(versions.own)"
    switch verdict {
    case .identical: return "\(plugin) \(change): identical"
    case .fits: return "\(plugin) \(change): another build, which fits"
    case .doesNotFit(let reasons):
      return "\(plugin) \(change): does not fit: " + reasons.prefix(3).joined(separator: "; ")
    case .isMissing: return "\(plugin) \(versions.former): the app has no such plugin"
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.plugin == right.plugin && left.versions == right.versions
      && left.verdict == right.verdict
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(plugin) }
}

extension LoadedApp {
  /// Compares the plugins of a recording with the app's plugins, in the order of the recording.
  package func fit(_ header: RecordingHeader) -> [RecordedFit] {
    header.plugins.map { recorded in
      guard let plugin = plugins.first(where: { $0.name == recorded.name }) else {
        return RecordedFit(
          plugin: recorded.name, versions: (recorded.version, ""), verdict: .isMissing)
      }
      let versions = (recorded.version, plugin.member.info.version)
      if !recorded.digest.isEmpty, recorded.digest == plugin.member.digest {
        return RecordedFit(plugin: recorded.name, versions: versions, verdict: .identical)
      }
      let now = PluginInterface(plugin.member.info)
      guard let former = PluginInterface(value: recorded.interface) else {
        return RecordedFit(
          plugin: recorded.name, versions: versions,
          verdict: .doesNotFit(["its interface is not in the recording"]))
      }
      let breaks = InterfaceComparison(from: former, to: now).differences.filter {
        $0.breaks != nil
      }
      return RecordedFit(
        plugin: recorded.name, versions: versions,
        verdict: breaks.isEmpty
          ? .fits : .doesNotFit(breaks.map { "\($0.subject) \($0.change)" }))
    }
  }
}
