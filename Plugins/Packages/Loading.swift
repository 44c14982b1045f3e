internal import AppCore

/// The progress of loading the database, as kept in an instance's state.
enum Loading: Codable, Sendable, Hashable {
  /// It is being read; the fraction is from 0 to 1.
  case reading(fraction: Double)
  case ready
  /// It could not be read; the reason is shown.
  case failed(reason: String)
}

extension PackageLibrary {
  /// The initial value for a new instance.
  var loading: Loading { database == nil ? .reading(fraction: 0) : .ready }

  /// An effect that reads the database and reports its progress.
  ///
  /// - Parameter report: wraps the progress in an action of the feature.
  /// - Returns: the effect; none if the database has been read already.
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
  /// The fraction of the whole work that is done: reading the file is a tenth, parsing it the rest.
  fileprivate var fraction: Double {
    let part = bytesTotal > 0 ? Double(bytesDone) / Double(bytesTotal) : 1
    return stage == .reading ? 0.1 * part : 0.1 + 0.9 * part
  }
}
