internal import AppCore

/// Shows one note, and saves what is written in it.
///
/// It saves automatically some time after the last change. Only one save runs at a time; changes
/// that are made meanwhile are saved after it.
struct Editor: Feature {
  let folder: NoteFolder
  /// The delay of the autosave after the last change.
  let saveAfter: Duration
  @Dependency(\.emergencyCopy) var emergencyCopy
  @Dependency(\.uuid) private var uuid

  init(folder: NoteFolder, saveAfter: Duration) {
    self.folder = folder
    self.saveAfter = saveAfter
  }

  struct Arguments: Codable, Sendable {
    /// The name of the user whose note it is.
    var user: String
    /// The note's identifier; `nil` for a new note.
    var id: String?
  }

  struct State: Codable, Sendable, Hashable {
    /// Whether the note has been read.
    enum Phase: Codable, Sendable, Hashable {
      case reading(UniqueID)
      /// It could not be read; the reason is shown.
      case failed(UniqueID, reason: String)
      case ready
    }

    /// What to do after a save.
    enum Next: String, Codable, Sendable, Hashable {
      case close
      case delete
    }

    let user: String
    var phase = Phase.ready
    /// The version that is on disk; `nil` if the note has not been saved yet.
    var file: NoteFile?
    /// The identifier that a new note is saved under.
    var newID: UniqueID?
    var text = ""
    var savedText = ""
    /// The text that is being saved; `nil` if no save is running.
    var saving: String?
    /// What to do once the text is saved.
    var next: Next?
    /// Whether the note is being deleted.
    var isDeleting = false
    /// Why the last save failed; `nil` if it did not, or if the text has changed since.
    var failure: String?
    /// Whether the editor is about to end: if the last save fails, the text is kept in an emergency
    /// copy.
    var isEnding = false
    /// A warning that is shown above the text.
    var notice: String?
    @Presented var leaving: ConfirmationDialogState<Leaving>?

    var isUnsaved: Bool { text != savedText }
  }

  /// The answers to the question about unsaved text.
  enum Leaving: Codable, Sendable, Hashable {
    case save
    case discard
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case textChanged(String)
      case lineAdded(String)
      case saveTapped
      case deleteTapped
      case backTapped
      case retryTapped
    }
    enum Internal: Sendable, Hashable {
      case read(Note)
      case readingFailed(UniqueID, String)
      /// The text has not changed for ``saveAfter``.
      case rested
      case saved(SavedNote)
      case savingFailed(String)
      case deleted(NoteFile)
      case deletingFailed(String)
    }
    enum Delegate: Codable, Sendable, Hashable {
      case saved(id: String)
      /// Asks the app for a confirmation; the input `deleteConfirmed` arrives only if it is given.
      case deleteRequested(title: String)
      case deleted(id: String)
      case closed
    }
    enum Input: Codable, Sendable, Hashable {
      case deleteConfirmed
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
    case leaving(PresentationAction<Leaving>)
  }

  func initialState(_ arguments: Arguments) throws -> State {
    _ = try UserFolder(user: arguments.user)
    var state = State(user: arguments.user)
    if let text = arguments.id {
      guard let id = UniqueID(text) else { throw NoteError.badID(text) }
      state.phase = .reading(id)
    } else {
      state.newID = uuid()
    }
    return state
  }

  func didStart(_ state: inout State) -> Effect<Action> {
    guard case .reading(let id) = state.phase else { return .none }
    return read(id, of: state.user)
  }

  func willEnd(_ state: inout State) -> Effect<Action> {
    state.isEnding = true
    // The user has not confirmed that the text may be discarded. A note that is being deleted
    // is not saved.
    guard state.next != .delete, !state.isDeleting else { return .none }
    let earlier = state.saving
    state.saving = nil
    return save(&state, after: earlier, then: .close)
  }

  var body: some ReducerOf<Self> {
    Reduce<State, Action> { state, action in
      switch action {
      case .view(let action): answer(action, &state)
      case .internal(let action): answer(action, &state)
      case .input(.deleteConfirmed): delete(&state)
      case .leaving(.presented(.save)): save(&state, then: .close)
      case .leaving(.presented(.discard)): discard(&state)
      case .leaving(.dismiss): saveLater(state)
      case .delegate: .none
      }
    }
    .ifLet(\.$leaving, action: /Action.leaving)
  }

  private func answer(_ action: Action.View, _ state: inout State) -> Effect<Action> {
    switch action {
    case .textChanged(let text):
      return change(&state, to: text)
    case .lineAdded(let line):
      let isAtLineStart = state.text.isEmpty || state.text.last?.isNewline == true
      return change(&state, to: state.text + (isAtLineStart ? "" : "\n") + line)
    case .saveTapped:
      return save(&state)
    case .deleteTapped:
      return .send(.delegate(.deleteRequested(title: Note.title(of: state.text))))
    case .backTapped:
      return leave(&state)
    case .retryTapped:
      guard case .failed(let id, _) = state.phase else { return .none }
      state.phase = .reading(id)
      return read(id, of: state.user)
    }
  }

  private func answer(_ action: Action.Internal, _ state: inout State) -> Effect<Action> {
    switch action {
    case .read(let note):
      state.phase = .ready
      state.file = note.file
      state.text = note.text
      state.savedText = note.text
      return .none
    case .readingFailed(let id, let reason):
      state.phase = .failed(id, reason: reason)
      return .none
    case .rested:
      return save(&state)
    case .saved(let saved):
      return take(saved, &state)
    case .savingFailed(let reason):
      giveUpSaving(&state, because: reason)
      return .none
    case .deleted(let file):
      // Nothing is left to save.
      state.savedText = state.text
      return .send(.delegate(.deleted(id: "\(file.id)")))
    case .deletingFailed(let reason):
      state.isDeleting = false
      state.notice = "Not deleted: \(reason)."
      return .none
    }
  }

  private func change(_ state: inout State, to text: String) -> Effect<Action> {
    state.text = text
    state.failure = nil
    state.notice = nil
    state.next = nil
    return saveLater(state)
  }

  private func read(_ id: UniqueID, of user: String) -> Effect<Action> {
    .run { [folder] send in
      do throws(NoteError) {
        await send(.internal(.read(try await folder.note(id, of: user))))
      } catch {
        await send(.internal(.readingFailed(id, "\(error)")))
      }
    }
  }
}
