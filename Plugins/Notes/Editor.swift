internal import AppCore

/// One note: shows it, and keeps what is written in it.
///
/// It saves by itself when nothing was changed for a while. One save runs at a time; what is
/// changed meanwhile is saved after it.
struct Editor: Feature {
  let folder: NoteFolder
  /// How long after the last change it saves by itself.
  let saveAfter: Duration
  @Dependency(\.emergencyCopy) var emergencyCopy
  @Dependency(\.uuid) private var uuid

  init(folder: NoteFolder, saveAfter: Duration) {
    self.folder = folder
    self.saveAfter = saveAfter
  }

  struct Arguments: Codable, Sendable {
    /// Whose note.
    var user: String
    /// Which one; a new one where there is none.
    var id: String?
  }

  struct State: Codable, Sendable, Hashable {
    /// How far the note is.
    enum Phase: Codable, Sendable, Hashable {
      case reading(UniqueID)
      /// It can't be read, for the reason shown.
      case failed(UniqueID, reason: String)
      case ready
    }

    /// What follows a save.
    enum Next: String, Codable, Sendable, Hashable {
      case close
      case delete
    }

    let user: String
    var phase = Phase.ready
    /// What is on the disk; `nil` while nothing is.
    var file: NoteFile?
    /// What a new note is going to be called.
    var newID: UniqueID?
    var text = ""
    var savedText = ""
    /// What is being saved.
    var saving: String?
    /// What happens once all is saved.
    var next: Next?
    /// Whether it is being deleted.
    var isDeleting = false
    /// Why the text is not saved.
    var failure: String?
    /// Whether the note is about to close for good: a save that fails is the last one.
    var isEnding = false
    /// What else there is to know.
    var notice: String?
    @Presented var leaving: ConfirmationDialogState<Leaving>?

    var isUnsaved: Bool { text != savedText }
  }

  /// The answers to what is to become of text that is not saved.
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
      /// Nothing was changed for a while.
      case rested
      case saved(SavedNote)
      case savingFailed(String)
      case deleted(NoteFile)
      case deletingFailed(String)
    }
    enum Delegate: Codable, Sendable, Hashable {
      case saved(id: String)
      /// The answer comes back as an input, or does not.
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
    // Who was asked whether to discard the text has not said so; what is being deleted need not be
    // saved.
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
      return giveUpSaving(&state, because: reason)
    case .deleted(let file):
      // Nothing is left to be saved.
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
