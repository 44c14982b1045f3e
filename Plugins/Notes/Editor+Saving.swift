internal import AppCore

extension Editor {
  private enum EffectName: Hashable { case rest }

  /// Saves once nothing was changed for a while.
  func saveLater(_ state: State) -> Effect<Action> {
    guard state.isUnsaved else { return .cancel(id: EffectName.rest) }
    return .send(.internal(.rested)).debounce(id: EffectName.rest, for: saveAfter)
  }

  /// Saves now; where a save runs already, what it does not hold is saved after it.
  ///
  /// - Parameters:
  ///   - state: the editor's.
  ///   - earlier: what may have been saved meanwhile without being known.
  ///   - next: what follows.
  /// - Returns: the save; nothing where none is due.
  func save(
    _ state: inout State, after earlier: String? = nil, then next: State.Next? = nil
  ) -> Effect<Action> {
    if next != nil { state.next = next }
    guard state.isUnsaved, state.saving == nil else { return .none }
    state.saving = state.text
    state.failure = nil
    let base = state.file ?? state.newID.map { NoteFile(id: $0, version: 0) }
    // Not cancellable: a version that was made must be known, or the next save would take it for
    // somebody else's.
    let saving = Effect<Action>.run { [folder, text = state.text, user = state.user] send in
      do throws(NoteError) {
        let saved = try await folder.save(text, over: base, after: earlier, of: user)
        await send(.internal(.saved(saved)))
      } catch {
        await send(.internal(.savingFailed("\(error)")))
      }
    }
    return .merge(.cancel(id: EffectName.rest), saving)
  }

  /// Takes in that a version could not be saved.
  func giveUpSaving(_ state: inout State, because reason: String) -> Effect<Action> {
    state.saving = nil
    state.next = nil
    state.failure = reason
    guard state.isEnding else { return .none }
    let name = "the note '\(Note.title(of: state.text))'"
    return .run { [text = state.text, emergencyCopy] _ in
      await emergencyCopy(of: text, named: name, because: reason)
    }
  }

  /// Takes in that a version was saved, and does what comes next.
  func take(_ saved: SavedNote, _ state: inout State) -> Effect<Action> {
    let isLatest = state.text == state.saving
    state.saving = nil
    state.file = saved.note.file
    state.savedText = saved.note.text
    if saved.isCopy {
      // What was written meanwhile belongs to the copy, too.
      state.text = isLatest ? saved.note.text : Note.markedAsCopy(state.text)
      state.notice =
        "Another window had saved this note first. Yours is kept as a new note, "
        + "'\(Note.title(of: state.text))'."
    }
    let told = Effect<Action>.send(.delegate(.saved(id: "\(saved.note.file.id)")))
    switch state.next {
    case .delete:
      return .concatenate(told, delete(&state))
    case .close where !state.isUnsaved:
      return .concatenate(told, .send(.delegate(.closed)))
    case .close:
      return .merge(told, save(&state))
    case nil:
      // Who is being asked whether to discard the text has not said that it is to be saved.
      return state.leaving == nil ? .merge(told, saveLater(state)) : told
    }
  }

  /// Goes back, or asks what is to become of the text where that is not saved.
  func leave(_ state: inout State) -> Effect<Action> {
    guard state.leaving == nil else {
      // Going back from the question is continuing with the text.
      state.leaving = nil
      return saveLater(state)
    }
    guard state.isUnsaved else { return .send(.delegate(.closed)) }
    guard state.text != state.saving else {
      state.next = .close
      return .none
    }
    state.leaving = ConfirmationDialogState {
      "Some of the text is not saved yet"
    } actions: {
      ButtonState("Save and close", action: .save)
      ButtonState("Discard", role: .destructive, action: .discard)
      ButtonState.cancel("Keep writing")
    } message: {
      state.failure.map { "It could not be saved: \($0)." } ?? ""
    }
    return .cancel(id: EffectName.rest)
  }

  /// Closes it without the text that is not saved.
  func discard(_ state: inout State) -> Effect<Action> {
    // So that it is not saved at the end either.
    state.text = state.savedText
    return .send(.delegate(.closed))
  }

  /// Deletes the note; one that is being saved once it is.
  func delete(_ state: inout State) -> Effect<Action> {
    guard state.saving == nil else {
      state.next = .delete
      return .none
    }
    guard let file = state.file else { return discard(&state) }
    state.isDeleting = true
    state.next = nil
    let deleting = Effect<Action>.run { [folder, user = state.user] send in
      do throws(NoteError) {
        try await folder.delete(file, of: user)
        await send(.internal(.deleted(file)))
      } catch {
        await send(.internal(.deletingFailed("\(error)")))
      }
    }
    return .merge(.cancel(id: EffectName.rest), deleting)
  }
}
