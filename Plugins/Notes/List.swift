internal import AppCore

/// A user's notes, with a search.
struct List: Feature {
  @Dependency(\.timeZone) private var timeZone
  let folder: NoteFolder

  init(folder: NoteFolder) { self.folder = folder }

  struct Arguments: Codable, Sendable {
    /// The name of the user whose notes are listed.
    var user: String
  }

  struct State: Codable, Sendable, Hashable {
    let user: String
    /// The text that the listed notes contain; if it is empty, all notes are listed.
    var query = ""
    /// The notes that match; `nil` until the folder has been read.
    var listing: NoteListing?
    /// Why the folder can't be read; `nil` if it can.
    var failure: String?
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case queryChanged(String)
      case noteTapped(UniqueID)
      case newTapped
      case reloadTapped
    }
    enum Internal: Sendable, Hashable {
      case listed(NoteListing)
      case listingFailed(String)
    }
    enum Delegate: Codable, Sendable, Hashable {
      case noteSelected(user: String, id: String)
      case newRequested(user: String)
    }
    enum Input: Codable, Sendable, Hashable {
      /// A note was saved or deleted.
      case changed
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
  }

  private enum EffectName: Hashable { case reading }

  func initialState(_ arguments: Arguments) throws -> State {
    _ = try UserFolder(user: arguments.user)
    return State(user: arguments.user)
  }

  func didStart(_ state: inout State) -> Effect<Action> { read(state) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.queryChanged(let query)):
      state.query = query
      return read(state)
    case .view(.noteTapped(let id)):
      return .send(.delegate(.noteSelected(user: state.user, id: "\(id)")))
    case .view(.newTapped):
      return .send(.delegate(.newRequested(user: state.user)))
    case .view(.reloadTapped), .input(.changed):
      return read(state)
    case .internal(.listed(let listing)):
      state.listing = listing
      state.failure = nil
      return .none
    case .internal(.listingFailed(let reason)):
      state.failure = reason
      return .none
    case .delegate:
      return .none
    }
  }

  private func read(_ state: State) -> Effect<Action> {
    .run { [folder, user = state.user, query = state.query] send in
      do throws(NoteError) {
        let listing = try await folder.notes(of: user, matching: query)
        await send(.internal(.listed(listing)))
      } catch {
        await send(.internal(.listingFailed("\(error)")))
      }
    }
    .cancellable(id: EffectName.reading, cancelInFlight: true)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Notes") { screen in
      if let failure = state.failure {
        screen.text("The notes can't be read: \(failure)", style: .error)
        screen.button("Try again", id: "reload", action: .reloadTapped)
      } else if let listing = state.listing {
        screen.button("New note", id: "new", action: .newTapped)
        // Not "Find": that is the shell's own command for rows.
        screen.field(
          "Search", id: "search", text: state.query, placeholder: "as in: search = milk"
        ) { .queryChanged($0) }
        screen.button(
          "Show all", id: "all", isEnabled: !state.query.isEmpty, action: .queryChanged(""))
        screen.button("Reload", id: "reload", action: .reloadTapped)
        show(listing, state, &screen)
      } else {
        screen.progress("Reading the notes")
      }
    }
  }

  private func show(
    _ listing: NoteListing, _ state: State, _ screen: inout ScreenBuilder<Action>
  ) {
    if !state.query.isEmpty, !listing.notes.isEmpty {
      screen.text(
        "'\(state.query)' is in \(listing.notes.count) of \(listing.total) notes.",
        style: .secondary)
    }
    screen.table(
      listing.notes, columns: [TableColumn("Note"), TableColumn("Changed")], id: "notes",
      placeholder: state.query.isEmpty
        ? "There are no notes yet." : "No note of \(listing.total) holds '\(state.query)'."
    ) { note in
      Row(
        cells: [note.title, minutes(of: note.changed)], id: "\(note.id)",
        action: .noteTapped(note.id))
    }
    guard !listing.problems.isEmpty else { return }
    screen.section("Files that can't be shown, and are left as they are") { screen in
      for problem in listing.problems { screen.text(problem, style: .warning) }
    }
  }

  /// The date and time in the machine's time zone, to the minute: `2026-03-01 09:30`.
  private func minutes(of moment: Instant) -> String {
    String(timeZone.text(of: moment).dropLast(3))
  }
}
