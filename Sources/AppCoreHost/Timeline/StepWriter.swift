@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import Sessions
internal import Supervision
internal import Support

/// Encodes and stores steps on a thread of its own.
///
/// The thread's stack is as large as that of the store's thread, so that it can encode any state.
actor StepWriter {
  nonisolated let thread = StoreThread(name: "appcore-steps")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private nonisolated let calls: CallRecorder
  private let store: StepStore
  private let encoder: StepEncoder
  private var isWatched = false

  init(_ store: StepStore, app: UInt32) {
    self.store = store
    // A supervisor observes the first app of a process only, as it does with the app's own thread.
    calls = CallRecorder(app: app, on: app == 1 ? SharedCrashPage.current?.stepRecord : nil)
    encoder = StepEncoder(after: store.lastStep ?? 0, calls: calls, secrets: store.secrets)
  }

  /// Encodes steps until `next` returns `nil`.
  func write(_ next: () -> [CapturedStep]?) {
    if !isWatched {
      isWatched = true
      WatchedThreads.add(calls)
      SignalMask.unblock([ThreadProbe.signal])
      SignalStack.give()
    }
    while let steps = next() {
      var lines: [String] = []
      for step in steps { encode(step, &lines) }
      store.write(lines)
    }
  }

  private func encode(_ captured: CapturedStep, _ lines: inout [String]) {
    var keyframe: StepHistory.Line?
    if store.needsKeyframe {
      let number = encoder.stepNumber
      keyframe = StepHistory.Line(
        .keyframe(step: number, encoder.moment),
        redacted: encoder.hasSecrets ? .keyframe(step: number, encoder.redactedMoment) : nil)
    }
    let encoded = encoder.encode(captured)
    store.update(encoder.sizes, removed: encoded.step.change.removed)
    let line = StepHistory.Line(
      .step(encoded.step),
      redacted: encoded.redacted == encoded.step ? nil : .step(encoded.redacted))
    store.keep(
      StepStore.Entry(
        number: encoded.step.number, line: line, keyframe: keyframe, build: encoded.step.build),
      &lines)
  }
}
