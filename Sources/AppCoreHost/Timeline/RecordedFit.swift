internal import AppCheck
internal import AppCore
package import Timeline

/// How a plugin fits a recording that was made with another build of it.
package struct RecordedFit: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// It is the build that was recorded.
    case identical
    /// What the manifest relies on is the same, or compatible.
    case fits
    /// Something is gone or of another type, and what.
    case doesNotFit([String])
    /// The app has no such plugin any more.
    case isMissing
  }

  package let plugin: String
  /// The version that was recorded, and the one that is here.
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
  /// How the app's plugins fit a recording.
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
