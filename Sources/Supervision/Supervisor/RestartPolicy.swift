internal import Navigation
package import Sessions

/// Decides after crashes what to suspend, and whether to restart the app at all.
package struct RestartPolicy: Hashable, Sendable {
  /// How many crashes of one build of a plugin, within ``pluginPeriod``, suspend the plugin.
  package static let pluginCrashes = 3
  package static let pluginPeriod = Duration.seconds(600)
  /// How many crashes that are unattributed or have lost the state end the app, within
  /// ``unknownPeriod``; the message says "third".
  package static let unknownCrashes = 3
  package static let unknownPeriod = Duration.seconds(60)
  /// How many crashes of one plugin are remembered.
  ///
  /// One that is suspended is not called, so that those for which it was are not crowded out.
  static let crashLimit = 16
  /// The plugins and instances that are not to be called any more.
  package private(set) var suspensions = Suspensions()
  package private(set) var givesUp = false

  /// The crashes are those of the previous workers, the latest last; the digests are those of the
  /// plugins' files now, by the plugins' names.
  package init(after ends: [WorkerCrash], digests: [String: String]) {
    guard let last = ends.last else { return }
    let unknown = ends.filter {
      $0.isUnmanageable && $0.isWithin(Self.unknownPeriod, before: last)
    }
    givesUp = last.isUnmanageable && unknown.count >= Self.unknownCrashes
    let ends = Self.counted(ends)
    for end in ends {
      guard let culprit = end.culprit,
        culprit == end.report.plugin + " " + (digests[end.report.plugin] ?? "")
      else { continue }
      let crashes = ends.filter { $0.culprit == culprit }
      let recent = crashes.filter { $0.isWithin(Self.pluginPeriod, before: end) }
      if recent.count >= Self.pluginCrashes {
        suspensions.plugins[end.report.plugin] =
          "it \(Self.verb(recent)) \(recent.count) times within 10 minutes"
      } else if !end.wasRunning {
        suspensions.plugins[end.report.plugin] =
          "it \(Self.verb([end])) while the app was being restored"
      }
    }
    suspendInstance(ends, last)
  }

  /// The crashes on which decisions after later ones depend, ``crashLimit`` at most of each plugin.
  static func remembered(_ ends: [WorkerCrash]) -> [WorkerCrash] {
    guard let last = ends.last else { return [] }
    var numbers: [String: Int] = [:]
    let latest = counted(ends).reversed().filter { end in
      guard end.culprit != nil || end.isWithin(unknownPeriod, before: last) else { return false }
      numbers[end.report.plugin, default: 0] += 1
      return numbers[end.report.plugin, default: 0] <= crashLimit
    }
    return latest.reversed()
  }

  /// Those that count: after a user has ended the suspension of a plugin, only its later crashes do.
  private static func counted(_ ends: [WorkerCrash]) -> [WorkerCrash] {
    var retried: Set<String> = []
    let latest = ends.reversed().filter { end in
      defer { retried.formUnion(end.retriedPlugins) }
      return !retried.contains(end.report.plugin)
    }
    return latest.reversed()
  }

  /// Suspends the instance of the last crash if the same call of its node has crashed before.
  private mutating func suspendInstance(_ ends: [WorkerCrash], _ last: WorkerCrash) {
    let report = last.report
    // Before the first screen an instance does not have the identifier that it has in the image; its
    // plugin is suspended then.
    guard last.wasRunning, !report.node.isEmpty, let id = InstanceID(text: report.instance) else {
      return
    }
    let former = ends.dropLast().last {
      ($0.culprit, $0.report.node, $0.report.call, $0.report.action)
        == (last.culprit, report.node, report.call, report.action)
    }
    guard let former else { return }
    suspensions.instances[id] = "it \(Self.verb([former, last])) twice in \(report.call)"
  }

  /// Why the plugin or the instance of a crash is suspended; `nil` if neither is.
  func suspension(after end: WorkerCrash) -> String? {
    suspensions.plugins[end.report.plugin]
      ?? InstanceID(text: end.report.instance).flatMap { suspensions.instances[$0] }
  }

  /// The verb for several crashes, some of which may be hangs.
  private static func verb(_ ends: [WorkerCrash]) -> String {
    if ends.allSatisfy(\.report.isHang) { return "hung" }
    return ends.contains(where: \.report.isHang) ? "crashed or hung" : "crashed"
  }
}

extension WorkerCrash {
  /// Whether nothing can be suspended after it, or the app was not restored as it was.
  fileprivate var isUnmanageable: Bool { culprit == nil || hasLostState }

  /// Whether it was before another one, and at most `period` earlier.
  fileprivate func isWithin(_ period: Duration, before other: WorkerCrash) -> Bool {
    time <= other.time && .nanoseconds(other.time - time) <= period
  }
}
