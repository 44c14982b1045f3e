internal import AppCore

extension Editor {
  private enum EffectName: Hashable { case rest }

  /// Schedules the autosave, or cancels it if everything is saved.
  func saveLater(_ state: State) -> Effect<Action> {
    guard state.isUnsaved else { return .cancel(id: EffectName.rest) }
    return .send(.internal(.rested)).debounce(id: EffectName.rest, for: saveAfter)
  }

  /// Saves now; if a save is running already, later changes are saved after it.
  ///
  /// - Parameters:
  ///   - state: the editor's state.
  ///   - earlier: the text of a save whose result is not known yet.
  ///   - next: what to do after the save.
  /// - Returns: the save; no effect if there is nothing to save or a save is running.
  func save(
    _ state: inout State, after earlier: String? = nil, then next: State.Next? = nil
  ) -> Effect<Action> {
    if next != nil { state.next = next }
    guard state.isUnsaved, state.saving == nil else { return .none }
    state.saving = state.text
    state.failure = nil
    let base = state.file ?? state.newID.map { NoteFile(id: $0, version: 0) }
    let lastCopy = state.isEnding ? emergencyCopy : nil
    // Not cancellable: the editor must know each version that it creates, or the next save would
    // take it for another writer's.
    let (folder, text, user) = (folder, state.text, state.user)
    let saving = Effect<Action>.run { send in
      // Before anything is awaited: the save of an editor that ends comes after those before it.
      let turn = base.map { folder.turns.take($0.id) }
      do throws(NoteError) {
        let save = { @Sendable () async throws(NoteError) in
          try await folder.save(text, over: base, after: earlier, of: user, in: turn)
        }
        // The disk may take longer than an app that ends waits for it.
        let saved =
          if let lastCopy {
            try await lastCopy.whileSaving(text, named: Note.name(of: text), save)
          } else {
            try await save()
          }
        await send(.internal(.saved(saved)))
      } catch {
        await send(.internal(.savingFailed("\(error)")))
      }
    }
    return .merge(.cancel(id: EffectName.rest), saving)
  }

  /// Handles a failed save, after which nothing follows.
  func giveUpSaving(_ state: inout State, because reason: String) {
    state.saving = nil
    state.next = nil
    state.failure = reason
  }

  /// Handles a successful save, and continues with what follows it.
  func take(_ saved: SavedNote, _ state: inout State) -> Effect<Action> {
    let isLatest = state.text == state.saving
    state.saving = nil
    state.file = saved.note.file
    state.savedText = saved.note.text
    if saved.isCopy {
      // Text that was written meanwhile belongs to the copy, too.
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
      // While the user is asked whether to discard the text, it is not saved automatically.
      return state.leaving == nil ? .merge(told, saveLater(state)) : told
    }
  }

  /// Closes the editor, or asks what to do with unsaved text.
  func leave(_ state: inout State) -> Effect<Action> {
    guard state.leaving == nil else {
      // Going back from the question means "Keep writing".
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

  /// Closes the editor without saving the text.
  func discard(_ state: inout State) -> Effect<Action> {
    // Otherwise `willEnd` would save the text.
    state.text = state.savedText
    return .send(.delegate(.closed))
  }

  /// Deletes the note; if it is being saved, after the save.
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
