internal import AppCore

/// How far the database is, as an instance sees it.
enum Loading: Codable, Sendable, Hashable {
  /// It is being read; the fraction is from 0 to 1.
  case reading(fraction: Double)
  case ready
  /// It can't be read, for the reason shown.
  case failed(reason: String)
}

extension PackageLibrary {
  /// Whether the database is there, as an instance begins.
  var loading: Loading { database == nil ? .reading(fraction: 0) : .ready }

  /// An effect that reads the database and tells how far it is.
  ///
  /// - Parameter report: makes the feature's action of a stage.
  /// - Returns: nothing where the database is there already.
  func read<Action: FeatureAction>(
    report: @escaping @Sendable (Loading) -> Action.Internal
  ) -> Effect<Action> {
    guard database == nil else { return .none }
    return .run { [self] send in
      let (progress, continuation) = AsyncStream.makeStream(
        of: LoadProgress.self, bufferingPolicy: .bufferingNewest(1))
      let reading = Task {
        await load { continuation.yield($0) }
        continuation.finish()
      }
      for await stage in progress {
        await send(.internal(report(.reading(fraction: stage.fraction))))
      }
      await reading.value
      let end: Loading = failure.map { .failed(reason: "\($0)") } ?? .ready
      await send(.internal(report(end)))
    }
  }
}

extension LoadProgress {
  /// How far all of it is: the file's reading is a tenth of the work, its parsing the rest.
  fileprivate var fraction: Double {
    let part = bytesTotal > 0 ? Double(bytesDone) / Double(bytesTotal) : 1
    return stage == .reading ? 0.1 * part : 0.1 + 0.9 * part
  }
}
