/// Keeps data that a feature could not save when the app ends and no screen is left to show the
/// error.
///
/// When an app ends, each feature can save its data. A feature that fails to do so passes the text
/// and the reason:
///
/// ```swift
/// struct Draft: Reducer {
///   enum Action: ComponentAction { case ends }
///   @Dependency(\.fileSystem) var fileSystem
///   @Dependency(\.emergencyCopy) var emergencyCopy
///
///   func reduce(into state: inout String, action: Action) -> Effect<Action> {
///     .run { [text = state] _ in
///       try await fileSystem.write(text, to: "/var/lib/drafts/today")
///     } catch: { [text = state] error, _ in
///       await emergencyCopy(of: text, named: "today's draft", because: "\(error)")
///     }
///   }
/// }
/// ```
///
/// A disk may also be so slow that the app ends before the data is on it. A save that is the last
/// chance, in `willEnd`, has its copy written first, and removed once it has succeeded:
/// ``whileSaving(_:named:_:)``.
///
/// The host writes a copy into its state folder, `~/.local/state/appcore/unsaved` unless
/// `XDG_STATE_HOME` names another. At exit it reports on standard error what was not saved, why,
/// and where the copy is, and the process exits with status 74.
public struct EmergencyCopy: Sendable {
  /// Data that could not be saved.
  public struct Content: Hashable, Sendable {
    public let text: String
    /// A name for people: part of the copy's file name and of the message.
    public let name: String
    /// Why it could not be saved.
    public let reason: String

    /// Creates content.
    public init(text: String, name: String, reason: String) {
      self.text = text
      self.name = name
      self.reason = reason
    }
  }

  /// Ends the time for which a copy is kept: takes why the text was not saved; `nil` if it was.
  public typealias Conclusion = @Sendable (_ failure: String?) -> Void

  private let keep: @Sendable (Content) -> Void
  private let hold: @Sendable (Content) -> Conclusion

  /// Creates a value that keeps copies with `keep`, which may block its thread.
  ///
  /// While a text is being saved, it keeps no copy; it does so if that fails.
  public init(_ keep: @escaping @Sendable (Content) -> Void) {
    self.init(keep) { content in
      { failure in
        guard let failure else { return }
        keep(Content(text: content.text, name: content.name, reason: failure))
      }
    }
  }

  /// Creates a value that keeps copies with `keep`, and with `hold` while a text is being saved,
  /// which has no reason yet; both may block their threads.
  public init(
    _ keep: @escaping @Sendable (Content) -> Void,
    whileSaving hold: @escaping @Sendable (Content) -> Conclusion
  ) {
    (self.keep, self.hold) = (keep, hold)
  }

  /// Keeps a copy of a text that could not be saved, for a reason that can follow a colon.
  @concurrent
  public func callAsFunction(
    of text: String, named name: String, because reason: String
  ) async { keep(Content(text: text, name: name, reason: reason)) }

  /// Keeps a copy of a text while `save` saves it; if that fails, or the app ends before, the copy
  /// stays and is reported.
  @concurrent
  public func whileSaving<Result: Sendable, Failure: Error>(
    _ text: String, named name: String, _ save: @Sendable () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let conclude = hold(Content(text: text, name: name, reason: ""))
    do throws(Failure) {
      let result = try await save()
      conclude(nil)
      return result
    } catch {
      conclude("\(error)")
      throw error
    }
  }
}

extension EmergencyCopy: DependencyKey {
  /// The host's implementation, set before the first feature runs; `nil` in a process without a host.
  @_spi(Host) public static let live = Guarded<EmergencyCopy?>(nil)

  /// The host's implementation; without a host there is no place for copies, and the loss is only
  /// reported.
  public static var liveValue: EmergencyCopy {
    live.value
      ?? EmergencyCopy {
        RuntimeIssue.report("\($0.name) was not saved: \($0.reason); no host keeps a copy")
      }
  }
}

extension DependencyValues {
  /// Keeps data that a feature could not save when the app ends.
  public var emergencyCopy: EmergencyCopy {
    get { self[EmergencyCopy.self] }
    set { self[EmergencyCopy.self] = newValue }
  }
}
